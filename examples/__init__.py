"""Modules that isel rewrites in the demonstration, their sources, and what makes and shows them."""
