"""Mutants of what nothing wrong may get through: small changes of its source, each of which
some test ought to notice.
"""
