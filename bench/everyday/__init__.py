"""Plain C of every day, and the same by hand: what is left between them?"""
