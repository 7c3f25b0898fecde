"""Twelve kernels compiled by numba alone and with isel: same results, machine code and times."""
