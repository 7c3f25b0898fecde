"""LLVM IR text: reading, meaning, windows, splicing and the machine-code gate."""
