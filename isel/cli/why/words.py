"""What was found of an instruction and a lane, as sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from frontends.llvm.text.rewording import spell
from frontends.llvm.windows.scene import Site
from isel.cli.limits import WHY_LONG
from isel.cli.why.fits import Fit
from isel.ir.expr import Expr, leaves
from isel.ir.infix import infix
from isel.model.window import Leaf


def say_fit(found: Fit, site: Site, *, missing: bool) -> Iterator[str]:
    """Yield lines; ``missing`` tells that the instruction is not there at all."""
    names = _names(found, site)
    name = found.instruction.mnemonic
    value, given = (_formula(e, names) for e in (found.value, found.given))
    if found.proved:
        yield f"{name} computes {value}{'' if given == value else f' as {given}'}, proved"
        if not missing:
            yield "layout: no program with it was found for the whole window"
        return
    if not found.model:
        yield f"open: neither is {value} proved to be {given}, nor is there a counterexample"
        return
    inputs = ", ".join(f"{names[x]} = {_number(v, x.width)}" for x, v in found.model.items())
    wanted, got = (_number(v, found.value.width) for v in found.results)
    yield f"counterexample: for {inputs} the window has {wanted}, {name} gives {got}"
    yield f"  {value}  is not  {given}"
    if found.range is not None:
        reads = " and ".join(names[x] for x in found.model)
        yield f"missing range fact: with {reads} {found.range.words} they are equal, proved"


def _formula(e: Expr, names: Mapping[Expr, str]) -> str:
    *lines, last = infix(e, names)
    text = f"{last} where {', '.join(lines)}" if lines else last
    return text if len(text) <= WHY_LONG else f"{text[:WHY_LONG]} …"


def _number(value: int, width: int) -> str:
    low = value - (1 << width) if value >> width - 1 else value
    return str(value) if low == value else f"{value} ({low})"


def _names(found: Fit, site: Site) -> Mapping[Expr, str]:
    """Return what the inputs are called: by the values of the user's code."""
    by_source: dict[str, tuple[str, Leaf]] = {}
    for x in site.inputs:
        text = spell(x.operand) if x.made is None else f"load {spell(x.made.pointer)}"
        by_source[x.leaf.source] = by_source[x.leaf.name] = (text, x.leaf)
    return {x: _name(x, by_source) for x in leaves(found.value, found.given)}


def _name(x: Expr, by_source: Mapping[str, tuple[str, Leaf]]) -> str:
    if x.source not in by_source:
        return x.source
    text, leaf = by_source[x.source]
    if x.width == leaf.width and x.offset % leaf.width == 0:
        return text if leaf.lanes == 1 else f"{text}[{x.offset // leaf.width}]"
    return f"{text}[bits {x.offset} to {x.offset + x.width - 1}]"
