"""Does one function refine another?  ``isel verify``: identity, then inputs that are concrete or poison, then undef.

Accepted: integer code without loops, pointer arguments at constant offsets, target intrinsics of the
given target.  Anything else is ``Unknown`` with its reason unless both functions are the same text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from frontends.llvm.ast import Function, Module
from frontends.llvm.meaning import Side, Value
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
    """``effort`` scales the solvers' limits; ``checker`` replaces them (for tests)."""

    effort: int = 1
    checker: Checker | None = None


def verify_function(source: Function, target: Function, isa: Target | None, options: Options | None = None, *, same_context: bool = False) -> Verdict:
    """Decide whether ``target`` refines ``source``; ``same_context``: names of attributes, metadata and globals mean the same in both."""
    options = options or Options()
    problem = _signatures(source, target)
    if problem:
        return Unknown(problem)
    if _identical(source, target, same_context=same_context):
        return prove(())
    if any(f.attributes.get("strictfp") is not None for f in (source, target)):
        return Unknown("floating point with strict semantics")
    known: Known = {}
    verdict: Verdict = Unknown("nothing was tried")
    for world in (World(undefs=False), World(undefs=True)):
        try:
            verdict = _in_world(source, target, isa, options, world, known)
        except Cannot as reason:
            return Unknown(str(reason))
        if not isinstance(verdict, Proved):
            return verdict
    return verdict


def _signatures(source: Function, target: Function) -> str:
    if source.type != target.type or [a.type for a in source.arguments] != [a.type for a in target.arguments]:
        return "the functions have different types"
    for a, b in zip(source.arguments, target.arguments, strict=True):
        if is_pointer(a) and set(a.attributes) != set(b.attributes):
            return "memory: the attributes of a pointer argument differ"
    mine, theirs = (tuple(x for x in f.returns if x != "noundef" and not x.startswith("range(")) for f in (source, target))
    return "the attributes of the results differ" if set(theirs) - set(mine) - {"dso_local"} else ""


def _identical(source: Function, target: Function, *, same_context: bool) -> bool:
    heads = [(f.attributes, f.returns, tuple(a.attributes for a in f.arguments)) for f in (source, target)]
    if heads[0] != heads[1]:
        return False
    a, b = _text(source), _text(target)
    return a == b and (same_context or not re.search(r"[#!@]", a.replace("@llvm.", "")))


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


def _in_world(source: Function, target: Function, isa: Target | None, options: Options, world: World, known: Known) -> Verdict:
    names = Names()
    unit = units(source, target)
    s = _execute(source, source, isa, "source", world, names, unit)
    t = _execute(source, target, isa, "target", world, names, unit)
    reason = compatible(s.memory, t.memory)
    if reason:
        return Unknown(reason)
    problem = _problem(s, t, source, world)
    verdict = refines(problem, known, options.effort, options.checker)
    if isinstance(verdict, Refuted) and (s.approximate or t.approximate):
        return Unknown("undef reaches a branch, an assumption or a noundef attribute")
    return verdict


def _problem(s: Execution, t: Execution, source: Function, world: World) -> Problem:
    lanes = [*_result_lanes(s.result(), t.result())]
    for where, (a, p), (b, q) in conditions(s.memory, t.memory, s.chooser, t.chooser, world):
        lanes.append(Lane(where, a, p, b, q))
    # a corner of an intrinsic that one side alone has: against us (R3, R4)
    corners: dict[Expr, Expr] = {x: const(0, 1) for x in s.corners - t.corners}
    corners.update({x: const(1, 1) for x in t.corners - s.corners})
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
    if b is None:
        tails = {f.name: f for f in a.functions}
        pairs = [(f.name, f, tails.get("tgt" + m[1])) for f in a.functions if (m := _PAIR.match(f.name))]
        return [(n, Unknown("there is no target") if g is None else verify_function(f, g, isa, options, same_context=True)) for n, f, g in pairs]
    same = _context(a) == _context(b)
    others = {f.name: f for f in b.functions}
    found: list[tuple[str, Verdict]] = []
    for f in a.functions:
        g = others.get(f.name)
        found.append((f.name, Unknown("the function is missing") if g is None else verify_function(f, g, isa, options, same_context=same)))
    return found


def _context(module: Module) -> tuple[object, ...]:
    kept = tuple(line for line in module.lines if line.startswith(("attributes #", "!", "@", "%", "$")))
    return (module.triple, module.layout, kept)
