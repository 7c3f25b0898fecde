"""Batteries against the command line: damaged inputs and signals at random moments.

``python -m tests.robust`` prints totals.
"""
