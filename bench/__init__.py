"""Benchmarks: kernels, their references, and what builds, checks and times them."""
