"""Equalities of terms as text: read, proved from raw terms, compiled, applied."""
