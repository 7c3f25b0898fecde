"""Lanes in registers: what moves them, what that costs, and a lower bound of every goal."""
