"""What ``import isel`` offers: modules rewritten, compared and looked at in the caller's process.

Beside :mod:`isel.cli` this is the only part of :mod:`isel` that may name front ends and instruction
sets, because it joins them.  It knows nothing of the command line, which uses it.
"""
