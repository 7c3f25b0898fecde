"""Batches that are killed and taken up, and run by a cluster: the same bytes as one process
makes without a pause.
"""
