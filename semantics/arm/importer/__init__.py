"""Semantics from Arm's list of intrinsics and ASL: instructions encoded and decoded, their
operations parsed, executed symbolically and written as ``.sem``.
"""
