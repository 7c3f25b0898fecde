"""The engine: terms, proof, search, cost and cache.

It names no instruction set and no front end.
"""

__version__ = "0.1.0"
