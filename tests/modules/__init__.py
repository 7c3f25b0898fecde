"""The benchmark's modules through the command line: what is written is proved by `isel verify`,
read by every LLVM at hand, and computes what numpy does.
"""
