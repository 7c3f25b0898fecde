"""Hexagon with HVX in registers of 128 bytes."""
