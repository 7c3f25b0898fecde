"""Semantics from Intel's Intrinsics Guide: its XML read, its operation texts parsed, executed
symbolically and written as ``.sem``.
"""
