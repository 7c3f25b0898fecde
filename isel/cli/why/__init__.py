"""``isel why-not``: what stops an instruction in each window of a module."""
