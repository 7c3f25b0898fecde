"""The benchmark: kernels compiled in several ways, checked against numpy, then timed side by side.

``python -m bench.harness`` runs it.  A kernel goes through four steps, each in processes that may
die: sources to LLVM IR, measured compiles, comparison of every version's results with numpy, timed
rounds.
"""
