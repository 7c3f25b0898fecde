"""Proved results kept between runs: the tracked seed under a per-user overlay, and the decorator
that uses them.

The cache cannot change an answer; rows of the overlay are signed (:mod:`isel.trust`).
``database.py`` is the only module that imports sqlite3.
"""
