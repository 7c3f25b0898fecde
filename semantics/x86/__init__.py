"""x86-64 vectors: semantics (``sem/``), CPUs and features, prices (``costs/``), and tests
against hardware and LLVM.
"""
