"""Tests of the equivalence classes."""
