"""Tests of the learned emissions."""
