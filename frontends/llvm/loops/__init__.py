"""Forms of loops: reductions in other groups."""
