"""Halide pipelines: functions ``name(variant=0) -> (Func, [ImageParam, ...])``; variant 1
changes tiles and unrolling, never the vector width.
"""
