"""Equalities of terms as text, by subject: read, proved from raw terms, compiled and applied.

Here are the rules and what reads, proves, matches and applies any rule; in which order and how far
rules are applied is for those who rewrite (:mod:`isel.rewrite`, :mod:`isel.synth`).
"""
