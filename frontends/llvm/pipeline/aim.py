"""What a function is rewritten for, by its attributes and the options; or why it is left alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from frontends.llvm.pipeline.options import Options
from frontends.llvm.text.ast import Function, Module
from frontends.llvm.text.layout import is_big_endian
from isel.errors import UnknownName
from isel.spec.target import Target
from semantics.pricing import priced_as

_SKIPPING: Final = ("strictfp", "optnone", "naked")


@dataclass(frozen=True, slots=True)
class Aim:
    """A CPU, the one whose prices hold for it (``priced``), its features and those that were
    ``named`` (as +a,-b), and the bits of the widest register.
    """

    cpu: str
    priced: str
    named: str
    features: frozenset[str]
    bits: int


def why_skip(module: Module, function: Function, options: Options) -> str:
    """Return why a function is left alone whatever the target; empty if it is not."""
    if is_big_endian(module.layout):
        return "big-endian layout"
    if options.only_function and not re.fullmatch(options.only_function, function.name.strip('"')):
        return "not selected"
    return next((f"it is {word}" for word in _SKIPPING if word in function.attributes), "")


def aim_of(function: Function, target: Target, options: Options) -> Aim | str:
    """Return what a function is rewritten for, or why it is left alone.

    Raises :class:`isel.errors.UnknownName` for a CPU or feature of the options.
    """
    own_cpu = function.attributes.get("target-cpu")
    own = function.attributes.get("target-features", "")
    cpu = own_cpu or options.cpu
    named = ",".join(x for x in (own, "" if own_cpu else options.features) if x)
    try:
        features = target.features(cpu, named)
    except UnknownName as problem:
        if not (own_cpu or own):
            raise
        return problem.message()
    bits = target.vector_bits(features, function.attributes)
    if options.vector_width is not None:
        bits = min(bits, options.vector_width)
    if not bits:
        return "it has no vector registers"
    return Aim(cpu, priced_as(target.name, cpu, features), named, features, bits)
