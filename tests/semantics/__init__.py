"""Tests of the shipped semantics."""
