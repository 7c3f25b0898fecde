"""``isel port``: what a file is compiled with, its functions by formulas and by SIMDe, what is
left out of it and where, and which version of each function is written.
"""
