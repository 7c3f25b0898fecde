"""Refinement of functions with loops: block by block, by induction."""
