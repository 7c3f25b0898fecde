"""Prices of machine code: tables per CPU, the block model, listings; nothing here reads
assembly or knows an ISA.
"""
