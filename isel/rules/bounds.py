"""Ranges of terms for the conditions of rules: the one place that says where they are from."""

from __future__ import annotations

from isel.ir.expr import Expr
from isel.ir.ranges import range_of
from isel.ir.spans import Span


def signed_bounds(e: Expr) -> Span:
    """Return the least and the greatest value of a term, read as two's complement."""
    return range_of(e).signed


def unsigned_bounds(e: Expr) -> Span:
    """Return the least and the greatest unsigned value of a term."""
    return range_of(e).unsigned
