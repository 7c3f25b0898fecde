"""Passes of loops otherwise: what counts, what is written of it, and witnesses of what was."""
