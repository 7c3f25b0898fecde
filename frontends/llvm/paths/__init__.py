"""Functions without loops executed on symbols, and the border around them."""
