"""Random small functions and mutants: verdicts agree with running both on every input, poison
included.

Undef is not run: a refutation that needs it is only counted, and where choices are entangled the
answer may be unknown, for one pair in fifty at most.
"""

from __future__ import annotations

import itertools
import random

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.text.ast import Function
from frontends.llvm.text.parse import parse_module
from isel.model.verdict import Proved, Refuted, Unknown
from tests.reference.interpreter import run
from tests.reference.values import POISON, Lane, Memory, UndefinedBehaviour, Value
from tests.verdicts import verify_function

_SEED = 4711
_W = 2
_OPS = ("add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "udiv", "urem")
_FLAGS = {
    **dict.fromkeys(("add", "sub", "mul", "shl"), ("nsw", "nuw")),
    "lshr": ("exact",),
    "ashr": ("exact",),
    "or": ("disjoint",),
}
_CALLS = ("umin", "umax", "smin", "smax", "uadd.sat", "ssub.sat")
Line = tuple[str, tuple[str, ...], str, str]


def _line(rng: random.Random, k: int, names: list[str]) -> Line:
    a, b = (rng.choice([*names, str(rng.randrange(4) - 2)]) for _ in range(2))
    kind = rng.random()
    if kind < 0.15:
        return ("select", (rng.choice(("eq", "ult", "slt")),), a, b)
    if kind < 0.3:
        return (f"call.{rng.choice(_CALLS)}", (), a, b)
    op = rng.choice(_OPS if rng.random() < 0.5 else _OPS[:6])
    return (op, tuple(f for f in _FLAGS.get(op, ()) if rng.random() < 0.4), a, b)


def _mutant(rng: random.Random, lines: list[Line], names: list[str]) -> list[Line]:
    made = list(lines)
    k = rng.randrange(len(made))
    op, flags, a, b = made[k]
    match rng.randrange(4):
        case 0 if op in _FLAGS:
            made[k] = (op, (), a, b)
        case 1 if op in ("add", "mul", "and", "or", "xor"):
            made[k] = (op, flags, b, a)
        case 2 if op in _FLAGS:
            made[k] = (op, _FLAGS[op], a, b)
        case _:
            made[k] = _line(rng, k, [n for n in names if not n.startswith("%t") or int(n[2:]) < k])
    return made


def _text(name: str, lines: list[Line], attribute: str) -> str:
    t = f"i{_W}"
    body: list[str] = []
    for k, (op, flags, a, b) in enumerate(lines):
        if op == "select":
            body += [
                f"%c{k} = icmp {flags[0]} {t} {a}, {b}",
                f"%t{k} = select i1 %c{k}, {t} {a}, {t} {b}",
            ]
        elif op.startswith("call."):
            body.append(f"%t{k} = call {t} @llvm.{op.removeprefix('call.')}.{t}({t} {a}, {t} {b})")
        else:
            body.append(f"%t{k} = {' '.join((op, *flags))} {t} {a}, {b}")
    inner = "\n".join(f"  {x}" for x in body)
    return f"define {t} @{name}({t} {attribute}%a, {t} {attribute}%b) {{\n{inner}\n  ret {t} %t{len(lines) - 1}\n}}\n"


def _run(function: Function, arguments: tuple[Value, ...]) -> Lane | None:
    try:
        return run(function, arguments, Memory())[0]
    except UndefinedBehaviour:
        return None


def _counterexample(
    source: Function, target: Function, lanes: list[Lane]
) -> tuple[Value, ...] | None:
    for x, y in itertools.product(lanes, lanes):
        arguments = ((x,), (y,))
        wanted, given = _run(source, arguments), _run(target, arguments)
        if wanted is not None and wanted is not POISON and wanted != given:
            return arguments
        if wanted is POISON and given is None:
            return arguments
    return None


def _check(seed: int, count: int, attribute: str) -> dict[str, int]:
    rng = random.Random(seed)
    texts: list[str] = []
    for n in range(count):
        lines: list[Line] = []
        names = ["%a", "%b"]
        for k in range(rng.randrange(1, 4)):
            lines.append(_line(rng, k, names))
            names.append(f"%t{k}")
        texts.append(
            _text(f"src{n}", lines, attribute)
            + _text(f"tgt{n}", _mutant(rng, lines, names), attribute)
        )
    module = parse_module(normalise("\n".join(texts)))
    functions = {f.name: f for f in module.functions}
    lanes: list[Lane] = [*range(1 << _W), *([] if attribute else [POISON])]
    found = {"proved": 0, "refuted": 0, "undef": 0, "unknown": 0}
    for n in range(count):
        source, target = functions[f"src{n}"], functions[f"tgt{n}"]
        verdict = verify_function(source, target, None, (module, module))
        wrong = _counterexample(source, target, lanes)
        note = f"seed {seed}: {texts[n]}\n{verdict}\n{wrong}"
        if isinstance(verdict, Unknown):
            assert not attribute, note
            found["unknown"] += 1
        elif isinstance(verdict, Proved):
            assert wrong is None, note
            found["proved"] += 1
        elif wrong is None:
            assert isinstance(verdict, Refuted)
            special = any(
                x.source.startswith(("undef", "poison")) and v for x, v in verdict.model.items()
            )
            assert special and not attribute, note
            found["undef"] += 1
        else:
            found["refuted"] += 1
    assert found["unknown"] * 50 <= count, found
    return found


@pytest.mark.parametrize("attribute", ["noundef ", ""])
def test_agrees_with_every_input(attribute: str) -> None:
    """Both answers must occur, or nothing was tested."""
    found = _check(_SEED, 50, attribute)
    assert found["proved"] > 6 and found["refuted"] > 6, found


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("attribute", ["noundef ", ""])
def test_agrees_with_every_input_at_length(attribute: str, seed: int) -> None:
    """More seeds."""
    _check(_SEED + 1 + seed, 600, attribute)
