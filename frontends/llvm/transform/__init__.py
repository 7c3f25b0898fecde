"""Transforms: what may be done to a function, a row each (``docs/adding-a-transform.md``)."""
