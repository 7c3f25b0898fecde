"""Fixed-point arithmetic as vector IR in primitive operations, and what its code costs."""
