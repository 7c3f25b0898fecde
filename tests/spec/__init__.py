"""Tests of the instruction language."""
