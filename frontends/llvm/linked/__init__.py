"""The LLVM that is linked in: text in, text out, in this process or a child."""
