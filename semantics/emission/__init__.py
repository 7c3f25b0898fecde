"""How LLVM IR says each vendor intrinsic: learned by compiling one C function an intrinsic,
kept as templates in a table.
"""
