"""How LLVM IR says HVX instructions."""
