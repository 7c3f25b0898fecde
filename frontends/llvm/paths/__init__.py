"""Functions without loops executed on symbols."""
