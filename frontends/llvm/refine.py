"""Does one function refine another?  ``isel verify``: identity, then inputs that are concrete or poison, then undef.

Accepted: integer code without loops, pointer arguments at constant offsets, target intrinsics of the
given target.  Anything else is ``Unknown`` with its reason unless both functions are the same text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from frontends.llvm.ast import Argument, Function, Module
from frontends.llvm.meaning import NO, Side, Value
from frontends.llvm.refine_choice import Cannot, Chooser, Names, strategies
from frontends.llvm.refine_inputs import World, agreed_facts, is_pointer
from frontends.llvm.refine_memory import Memory, compatible, conditions, units
from frontends.llvm.refine_side import Execution
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, const, leaves
from isel.spec.target import Target
from isel.verify.choices import Choices, Lane, Problem, refines
from isel.verify.prove import Checker, Known, prove
from isel.verify.verdict import Proved, Refuted, Unknown, Verdict

_LOCAL: Final = re.compile(r'%("[^"]*"|[-\w$.]+)')
_PAIR: Final = re.compile(r"src(\d*)$")


@dataclass(frozen=True, slots=True)
class Options:
    """``effort`` scales the solvers' limits; ``checker`` replaces them (for tests).

    ``same_names``: attributes, metadata and globals of both functions go by the same names, ``same_nodes``:
    metadata does.
    """

    effort: int = 1
    checker: Checker | None = None
    same_names: bool = False
    same_nodes: bool = False


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict, and for a refutation both results with the source's choices made as they fit best."""

    verdict: Verdict
    source: Function
    source_value: Value | None = None
    source_undefined: Expr = NO
    target_value: Value | None = None
    target_undefined: Expr = NO


def verify_function(source: Function, target: Function, isa: Target | None, options: Options | None = None) -> Verdict:
    """Decide whether ``target`` refines ``source``, on a little-endian machine."""
    return judge(source, target, isa, options).verdict


def judge(source: Function, target: Function, isa: Target | None, options: Options | None = None) -> Judged:
    """Decide, and keep what shows a refutation to a reader."""
    options = options or Options()
    problem = _signatures(source, target)
    if problem:
        return Judged(Unknown(problem), source)
    if _identical(source, target, same_names=options.same_names):
        return Judged(prove(()), source)
    if any("strictfp" in f.attributes for f in (source, target)):
        return Judged(Unknown("floating point with strict semantics"), source)
    known: Known = {}
    found = Judged(Unknown("nothing was tried"), source)
    for world in (World(undefs=False), World(undefs=True)):
        try:
            found = _in_world(source, target, isa, options, world, known)
        except Cannot as reason:
            return Judged(Unknown(str(reason)), source)
        if not isinstance(found.verdict, Proved):
            return found
    return found


def _signatures(source: Function, target: Function) -> str:
    if source.type != target.type or [a.type for a in source.arguments] != [a.type for a in target.arguments]:
        return "the functions have different types"
    for a, b in zip(source.arguments, target.arguments, strict=True):
        if is_pointer(a) and set(a.attributes) != set(b.attributes):
            return "memory: the attributes of a pointer argument differ"
        if _opaque(a) != _opaque(b):
            return f"the attributes of %{a.name} differ"
    mine, theirs = (tuple(x for x in f.returns if x != "noundef" and not x.startswith("range(")) for f in (source, target))
    return "the attributes of the results differ" if set(theirs) - set(mine) - {"dso_local"} else ""


def _opaque(a: Argument) -> frozenset[str]:
    """Return the attributes whose meaning is not modelled; pointers are compared as a whole."""
    return frozenset(x for x in a.attributes if x != "noundef" and not x.startswith("range("))


def _identical(source: Function, target: Function, *, same_names: bool) -> bool:
    heads = [(f.attributes, f.returns, tuple(a.attributes for a in f.arguments)) for f in (source, target)]
    if heads[0] != heads[1]:
        return False
    a, b = _text(source), _text(target)
    return a == b and (same_names or not re.search(r"[#!@]", a.replace("@llvm.", "")))


def _text(function: Function) -> str:
    names: dict[str, str] = {}

    def new(m: re.Match[str]) -> str:
        return names.setdefault(m[1], f"%{len(names)}")

    lines = [" ".join(f"%{a.name}" for a in function.arguments)]
    for block in function.blocks:
        lines.append(f"block %{block.label}")
        lines.extend(i.text.strip() for i in block.instrs if i.opcode != "dbg")
    return "\n".join(_LOCAL.sub(new, line) for line in lines)


def _execute(source: Function, function: Function, isa: Target | None, role: Side, world: World, names: Names, unit: Mapping[int, int]) -> Execution:
    noalias = frozenset(k for k, a in enumerate(source.arguments) if "noalias" in a.attributes)
    side = "S" if role == "source" else "T"
    done = Execution(function, source, isa, role, world, Chooser(side, names), Memory(unit, noalias))
    done.run()
    return done


def _in_world(source: Function, target: Function, isa: Target | None, options: Options, world: World, known: Known) -> Judged:
    names = Names()
    unit = units(source, target)
    s = _execute(source, source, isa, "source", world, names, unit)
    t = _execute(source, target, isa, "target", world, names, unit)
    reason = compatible(s.memory, t.memory, same_nodes=options.same_nodes)
    if reason:
        return Judged(Unknown(reason), source)
    corners = _corners(s, t)
    problem = _problem(s, t, source, world, corners)
    verdict = refines(problem, known, options.effort, options.checker)
    if isinstance(verdict, Refuted):
        if s.approximate or t.approximate:
            return Judged(Unknown("undef reaches a branch, an assumption or a noundef attribute"), source)
        best = {**corners, **(problem.strategies[0] if problem.strategies else {})}
        return Judged(verdict, source, _over(s.result(), best), instantiate(s.undefined, best), _over(t.result(), corners), instantiate(t.undefined, corners))
    return Judged(verdict, source)


def _over(value: Value | None, terms: dict[Expr, Expr]) -> Value | None:
    if value is None:
        return None
    return Value(value.width, tuple(instantiate(e, terms) for e in value.lanes), tuple(instantiate(p, terms) for p in value.poison))


def _corners(s: Execution, t: Execution) -> dict[Expr, Expr]:
    """Decide the corners of intrinsics that one side alone has: against us (R3, R4)."""
    found: dict[Expr, Expr] = {x: const(0, 1) for x in s.corners - t.corners}
    found.update({x: const(1, 1) for x in t.corners - s.corners})
    return found


def _problem(s: Execution, t: Execution, source: Function, world: World, corners: dict[Expr, Expr]) -> Problem:
    lanes = [*_result_lanes(s.result(), t.result())]
    for where, (a, p), (b, q) in conditions(s.memory, t.memory, s.chooser, t.chooser, world):
        lanes.append(Lane(where, a, p, b, q))
    problem = Problem(
        tuple(lanes),
        s.undefined,
        t.undefined,
        agreed_facts(source),
        Choices(frozenset(s.chooser.early), frozenset(s.chooser.late)),
        Choices(frozenset(t.chooser.early), frozenset(t.chooser.late)),
        (),
    ).over(corners)
    guesses = strategies(s.chooser, t.chooser, frozenset(leaves(*problem.terms())))
    return replace(problem, strategies=tuple({x: instantiate(e, corners) for x, e in g.items()} for g in guesses))


def _result_lanes(a: Value | None, b: Value | None) -> Iterator[Lane]:
    if a is None or b is None:
        return
    for i, parts in enumerate(zip(a.lanes, a.poison, b.lanes, b.poison, strict=True)):
        yield Lane(f"lane {i}", *parts)


def verify_modules(a: Module, b: Module | None, isa: Target | None, options: Options | None = None) -> list[tuple[str, Verdict]]:
    """Return a verdict a function: pairs ``@src``/``@tgt`` (with the same number) of one module, or equally named functions of two."""
    return [(name, j.verdict) for name, j in judge_modules(a, b, isa, options)]


def judge_modules(a: Module, b: Module | None, isa: Target | None, options: Options | None = None) -> list[tuple[str, Judged]]:
    """Return what :func:`verify_modules` does, with what shows refutations."""
    other = a if b is None else b
    tails = {f.name: f for f in other.functions}
    names, nodes = (_lines(a, marks) == _lines(other, marks) for marks in (("attributes #", "!", "@", "%", "$", "target"), ("!",)))
    options = replace(options or Options(), same_names=names, same_nodes=nodes)
    found: list[tuple[str, Judged]] = []
    for f in a.functions:
        pair = _PAIR.match(f.name)
        if b is None and pair is None:
            continue
        name = "tgt" + pair[1] if b is None and pair is not None else f.name
        g = tails.get(name)
        if g is None:
            found.append((f.name, Judged(Unknown(f"there is no function @{name}"), f)))
        elif "E" in (a.layout[:1], other.layout[:1]):
            found.append((f.name, Judged(Unknown("memory of a big-endian machine"), f)))
        else:
            found.append((f.name, judge(f, g, isa, options)))
    return found


def _lines(module: Module, marks: tuple[str, ...]) -> list[str]:
    return [line for line in module.lines if line.startswith(marks)]
