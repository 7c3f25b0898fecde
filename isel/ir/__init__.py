"""Bit-vector terms: the op table, interned expressions, their text, and everything derived from
primitives.
"""
