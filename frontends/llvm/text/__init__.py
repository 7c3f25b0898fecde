"""LLVM IR as text: tokens, syntax trees, layout of data, identity."""
