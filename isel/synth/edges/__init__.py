"""Ways to make a lane value that are found by its shape: dot products, groups, chains, variants."""
