"""Halide expressions as Halide prints them: tokens, typed trees, their meaning, and lowering to
LLVM IR.
"""
