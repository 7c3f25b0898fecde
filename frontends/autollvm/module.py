"""A module with AutoLLVM calls as a module for one machine: calls lowered, triple and CPU named,
and every function proved to be what it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from equiv_classes.dictionary import Dictionary
from frontends.autollvm.lower import Lines, Lowering, Search, as_result
from frontends.autollvm.near import nearest
from frontends.autollvm.read import NoCall, read_call
from frontends.llvm.linked import binding
from frontends.llvm.refine.options import Options
from frontends.llvm.refine.report import Answer, verify_report
from frontends.llvm.text.ast import Function, Instr, Literal, Local, Module
from frontends.llvm.text.parse import parse_module
from isel.model.machine import Machine
from isel.spec.target import Target

PREFIX: Final = "autollvm."
_PLAIN: Final = (
    "bitcast",
    "shufflevector",
    "add",
    "sub",
    "mul",
    "and",
    "or",
    "xor",
    "zext",
    "sext",
)
_OWN: Final = re.compile(
    r' ?"(?:(?:target|tune)-cpu|target-features|(?:min-legal|prefer)-vector-width)"="[^"]*"'
)
_HEAD: Final = re.compile(r'^target (?:triple|datalayout) = "[^"]*"\n', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Left:
    """A call that was not lowered: its function, name, why, and what was expected instead;
    ``wrong``: it is no call of the dictionary.
    """

    function: str
    callee: str
    why: str
    expected: str = ""
    wrong: bool = False


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
    bare = _HEAD.sub("", _OWN.sub("", text) if words else text)
    found: list[str] = []
    for line in bare.splitlines():
        if line.startswith("define ") and line.endswith("{") and words:
            line = _add_words(line, words)
        found.append(line)
    layout = binding.data_layout(aim.triple)
    head = f'target datalayout = "{layout}"\ntarget triple = "{aim.triple}"\n'
    return head + "\n".join(found) + "\n"


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
    """Lower every AutoLLVM call of a module; ``source`` reads what other intrinsics it has."""
    before = parse_module(binding.normalise(text))
    lowering = Lowering(machine, dictionary, search, plain)
    done = Lowered("")
    lines = list(before.lines)
    declared: dict[str, str] = {}
    for f in before.functions:
        names = _fresh(f)
        lowering.defined = {a.name for a in f.arguments if "noundef" in a.attributes}
        for i in _instructions(f):
            if not _is_call(i):
                if _is_defined(i, lowering.defined):
                    lowering.defined.add(i.name)
                continue
            found = _code(lowering, f.name, i, names)
            if isinstance(found, Lines):
                lines[i.line] = "\n".join(as_result(found, i.name))
                declared.update(found.declarations)
                lowering.defined.add(i.name)
                done.ways[found.how] = done.ways.get(found.how, 0) + 1
            else:
                done.left.append(found)
        done.left += _foreign(f, machine.target, source)
    known = {n for n in declared if re.search(rf"@{re.escape(n)}\b", "\n".join(before.lines))}
    body = "\n".join([*lines, *(d for n, d in declared.items() if n not in known)]) + "\n"
    done.text = binding.normalise(for_machine(body, aim))
    after = parse_module(done.text)
    isas = (source or machine.target, machine.target)
    if isas[0].name == isas[1].name:  # both are then compiled for the same
        before = parse_module(binding.normalise(for_machine(before.text, aim)))
    done.proofs = verify_report(before, after, isas[0], Options(isas=isas))
    return done


def _code(lowering: Lowering, function: str, i: Instr, fresh: Callable[[], str]) -> Lines | Left:
    try:
        call = read_call(i, lowering.dictionary)
    except NoCall as problem:
        return Left(function, i.callee, problem.why, problem.expected, wrong=True)
    found = lowering.code(call, fresh)
    if isinstance(found, Lines):
        return found
    near = nearest(call, lowering.machine, lowering.dictionary)
    return Left(function, i.callee, f"{found}; {near}" if near else found)


def _instructions(f: Function) -> Iterator[Instr]:
    for b in f.blocks:
        yield from b.instrs


def _is_call(i: Instr) -> bool:
    return i.opcode == "call" and i.callee.startswith(PREFIX) and i.known


def _is_defined(i: Instr, defined: Collection[str]) -> bool:
    """Tell whether a value is neither poison nor undef because its operands are not."""
    if i.opcode == "freeze" or "noundef" in dict(i.metadata):
        return True
    if i.opcode not in _PLAIN or i.flags or None in i.mask:
        return False
    return all(
        all(isinstance(x, int) for x in o.lanes)
        if isinstance(o, Literal)
        else isinstance(o, Local) and o.name in defined
        for o in i.operands
    )


def _foreign(f: Function, target: Target, source: Target | None) -> Sequence[Left]:
    """Return the intrinsics of the module's own machine that another one lacks."""
    if source is None or source.name == target.name:
        return []
    names = dict.fromkeys(
        i.callee
        for b in f.blocks
        for i in b.instrs
        if i.opcode == "call" and not i.callee.startswith(PREFIX) and source.by_call(i.callee)
    )
    return [Left(f.name, n, f"an intrinsic of {source.name} without a class") for n in names]


def _fresh(f: Function) -> Callable[[], str]:
    taken = {i.name for b in f.blocks for i in b.instrs} | {a.name for a in f.arguments}
    count = 0

    def name() -> str:
        nonlocal count
        while f"auto.{count}" in taken:
            count += 1
        count += 1
        return f"auto.{count - 1}"

    return name


def functions_with_calls(module: Module) -> list[str]:
    """Return the functions that have AutoLLVM calls."""
    return [f.name for f in module.functions if any(map(_is_call, _instructions(f)))]
