"""Proof: two programs and facts in, a verdict out; nothing here knows of the search."""
