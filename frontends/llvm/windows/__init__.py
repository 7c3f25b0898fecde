"""Windows: which instructions, over which leaves, in which blocks."""
