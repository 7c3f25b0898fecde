"""Asking llvm-mca: what instructions cost on a CPU, and which groups of ports they use."""
