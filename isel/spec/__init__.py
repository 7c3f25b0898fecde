"""What an instruction is, and the language (``.sem``) that says it; nothing here knows an
instruction set.
"""
