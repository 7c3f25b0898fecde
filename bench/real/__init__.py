"""C libraries through their own build systems, plainly and behind `isel-cc`: own tests, outputs,
machine code, CPU time.

Sources are given (`WORK/src`); nothing of a library is kept here.
"""
