"""A module with AutoLLVM calls as a module for one machine: calls lowered, triple and CPU named,
and every function proved to be what it was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from equiv_classes.dictionary import Dictionary
from frontends.autollvm.functions import Left, lower_calls
from frontends.autollvm.lower import Lowering, Search
from frontends.autollvm.write import own_calls
from frontends.llvm.linked import binding
from frontends.llvm.refine.options import Options
from frontends.llvm.refine.report import Answer, verify_report
from frontends.llvm.text.ast import Module
from frontends.llvm.text.parse import parse_module
from isel.model.machine import Machine
from isel.spec.target import Target

_OWN: Final = re.compile(
    r' ?"(?:(?:target|tune)-cpu|target-features|(?:min-legal|prefer)-vector-width)"="[^"]*"'
)
_EXTENDED: Final = re.compile(r" (?:sign|zero)ext(?= )")  # as callers for AArch64 do not
_DEFINE: Final = re.compile(r"^define .*\{$", re.MULTILINE)
_HEAD: Final = re.compile(r'^target (?:triple|datalayout) = "[^"]*"\n', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Aim:
    """What code is made for: a triple, CPU and features as LLVM names them."""

    triple: str
    cpu: str
    features: str


@dataclass
class Lowered:
    """A module's text for a machine, how many calls were lowered in which way, those that were not,
    and the proofs of the functions.
    """

    text: str
    ways: dict[str, int] = field(default_factory=dict)
    left: list[Left] = field(default_factory=list)
    proofs: list[Answer] = field(default_factory=list)


def for_machine(text: str, aim: Aim) -> str:
    """Return the printed text of a module for another machine: its triple, its CPU in each
    function; without a CPU functions keep their own.
    """
    words = f'"target-cpu"="{aim.cpu}"' if aim.cpu else ""
    words += f' "target-features"="{aim.features}"' if aim.features else ""
    if aim.triple.startswith("aarch64") and 'target triple = "aarch64' not in text:
        text = _DEFINE.sub(lambda m: _EXTENDED.sub("", m[0]), text)
    if words:
        text = _DEFINE.sub(lambda m: _add_words(m[0], words), _OWN.sub("", text))
    layout = binding.data_layout(aim.triple)
    head = f'target datalayout = "{layout}"\ntarget triple = "{aim.triple}"\n'
    return head + _HEAD.sub("", text)


def _add_words(line: str, words: str) -> str:
    """Add string attributes to the head of a function, before its group or what follows it."""
    at = re.search(r"\)(?: (?:local_)?unnamed_addr)?", line[line.rindex(")") :])
    assert at is not None
    cut = line.rindex(")") + at.end()
    return f"{line[:cut]} {words}{line[cut:]}"


def lower_module(
    text: str,
    aim: Aim,
    machine: Machine,
    dictionary: Dictionary,
    search: Search | None,
    *,
    plain: bool,
    source: Target | None,
) -> Lowered:
    """Lower every AutoLLVM call of a module, and prove it; ``source`` reads what other intrinsics
    it has.
    """
    before = parse_module(binding.normalise(text))
    done = lower_only(before, aim, Lowering(machine, dictionary, search, plain), source)
    after = parse_module(done.text)
    isas = (source or machine.target, machine.target)
    if isas[0].name == isas[1].name:  # both are then compiled for the same
        before = parse_module(binding.normalise(for_machine(before.text, aim)))
    done.proofs = verify_report(before, after, isas[0], Options(isas=isas))
    return done


def lower_only(before: Module, aim: Aim, lowering: Lowering, source: Target | None) -> Lowered:
    """Lower every AutoLLVM call of a module, which is left for others to prove."""
    done = Lowered("")
    lines: list[str] = list(before.lines)
    declared: dict[str, str] = {}
    for f in before.functions:
        found = lower_calls(f, lowering)
        lines = [found.lines.get(n, line) for n, line in enumerate(lines)]
        declared.update(found.declared)
        for how in found.ways:
            done.ways[how] = done.ways.get(how, 0) + 1
        done.left += found.left
    done.left += _foreign(before, lowering.machine.target, source)
    known = {n for n in declared if re.search(rf"@{re.escape(n)}\b", "\n".join(before.lines))}
    body = "\n".join([*lines, *(d for n, d in declared.items() if n not in known)]) + "\n"
    done.text = binding.normalise(for_machine(body, aim))
    return done


def _foreign(module: Module, target: Target, source: Target | None) -> Sequence[Left]:
    """Return the intrinsics of the module's own machine that another one lacks."""
    if source is None or source.name == target.name:
        return []
    names = dict.fromkeys((f, i.callee) for f, i in own_calls(module, source))
    why = {True: "without a class", False: "that computes no lanes of integers"}
    return [
        Left(f, n, f"an intrinsic of {source.name} {why[source.by_call(n) is not None]}")
        for f, n in names
    ]
