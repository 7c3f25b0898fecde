"""Verdicts on functions as lines that a compiler engineer reads: arguments, the source's and
the target's result.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import assert_never

from frontends.llvm.linked.layouts import with_own_layout
from frontends.llvm.meaning.lanes import Value
from frontends.llvm.passes.guesses import GUESSES
from frontends.llvm.paths.inputs import argument_lane, poison_bit, undef_mask
from frontends.llvm.refine.decide import judge_modules
from frontends.llvm.refine.options import Judged, Options
from frontends.llvm.text.ast import Argument, Function, Module
from frontends.llvm.text.syntax import integer_shape, shape_of
from isel.interp.evaluate import evaluate_all
from isel.interp.integer import Integer
from isel.ir.expr import Expr, leaves
from isel.model.verdict import Proved, Refuted, Unknown, Verdict
from isel.spec.target import Target


@dataclass(frozen=True, slots=True)
class Answer:
    """The verdict on a function, and the line to print."""

    name: str
    verdict: Verdict
    line: str


def verify_report(
    a: Module, b: Module | None, isa: Target | None, options: Options | None = None
) -> list[Answer]:
    """Return an answer a function, in the order of the first module; where nobody says how one was
    made of the other, it is guessed.
    """
    options = replace(options or Options(), guesses=GUESSES)
    other = None if b is None else with_own_layout(b)
    return [
        Answer(name, j.verdict, f"@{name}: {words(j)}")
        for name, j in judge_modules(with_own_layout(a), other, isa, options)
    ]


def words(judged: Judged) -> str:
    """Return the verdict in words."""
    match judged.verdict:
        case Proved(certificate):
            asked = len(certificate.queries)
            by = ", ".join(sorted(set(certificate.solvers)))
            return f"proved ({asked} distinct {'query' if asked == 1 else 'queries'}; {by})"
        case Refuted(model, where):
            return f"refuted{f' at {where}' if where else ''}: {_counterexample(judged, model)}"
        case Unknown(reason):
            return f"unknown: {reason}"
        case _:
            assert_never(judged.verdict)


def _counterexample(judged: Judged, model: Mapping[Expr, int]) -> str:
    parts = [
        f"%{a.name} = {_argument(k, a, model)}"
        for k, a in enumerate(judged.source.arguments)
        if integer_shape(a.type) is not None
    ]
    parts.extend(_memory(judged.source, model))
    parts.append(f"source = {_result(judged.source_value, judged.source_undefined, model)}")
    parts.append(f"target = {_result(judged.target_value, judged.target_undefined, model)}")
    return ", ".join(parts)


def _argument(k: int, a: Argument, model: Mapping[Expr, int]) -> str:
    shape, lanes = shape_of(a.type), list[str]()
    for i in range(shape[0]):
        if model.get(poison_bit(f"a{k}", i), 0):
            lanes.append("poison")
            continue
        value, mask = (
            _number(model.get(argument_lane(k, i, shape[1]), 0), shape[1]),
            model.get(undef_mask(f"a{k}", i, shape[1]), 0),
        )
        lanes.append(
            "undef"
            if mask == (1 << shape[1]) - 1
            else f"{value} with undef bits {mask:#x}"
            if mask
            else value
        )
    return _lanes(lanes)


def _memory(source: Function, model: Mapping[Expr, int]) -> list[str]:
    found: list[str] = []
    for x in sorted(
        (x for x in model if x.op == "elem" and x.source[:1] == "m" and x.source[1:].isdecimal()),
        key=lambda x: (x.source, x.offset),
    ):
        name = source.arguments[int(x.source[1:])].name
        found.append(
            f"{x.width} bits at byte {x.offset // 8} of %{name} = {_number(model[x], x.width)}"
        )
    return found


def _number(value: int, width: int) -> str:
    return str(value - (1 << width) if width > 1 and value >> (width - 1) else value)


def _lanes(lanes: list[str]) -> str:
    if len(lanes) == 1:
        return lanes[0]
    return f"splat ({lanes[0]})" if len(set(lanes)) == 1 else f"<{', '.join(lanes)}>"


def _evaluate(terms: list[Expr], model: Mapping[Expr, int]) -> list[int]:
    env = {x: model.get(x, 0) for x in leaves(*terms)}
    values = evaluate_all(terms, env, Integer())
    return [values[e] for e in terms]


def _result(value: Value | None, undefined: Expr, model: Mapping[Expr, int]) -> str:
    if _evaluate([undefined], model)[0]:
        return "undefined behaviour"
    if value is None:
        return "void"
    lanes, poison = _evaluate(list(value.lanes), model), _evaluate(list(value.poison), model)
    return _lanes(
        ["poison" if p else _number(v, value.width) for v, p in zip(lanes, poison, strict=True)]
    )
