"""Hashes of the shipped instruction sets."""

from __future__ import annotations


def semantics_digests() -> list[tuple[str, str]]:
    """Return the name and the hash of each shipped instruction set."""
    from semantics import isas
    from semantics.digest import digest

    return [(isa.name, digest(isa.name)[:16]) for isa in isas()]
