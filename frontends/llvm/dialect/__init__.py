"""What LLVM 22 writes, said in the words of an older LLVM; what that LLVM cannot be told is
refused.
"""
