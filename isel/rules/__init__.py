"""Equalities of terms as text, by subject: read, proved from raw terms, and made.

What looks for their left sides, and applies them, is :mod:`isel.egraph`.
"""
