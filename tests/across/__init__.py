"""Functions of one purpose for several machines: in C, with SSE or AVX2, with Neon, and wrongly with
Neon.  ``kernels`` holds them, each with the public code whose idea it is; nothing is copied.
"""
