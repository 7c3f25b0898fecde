"""Candidate programs: straight-line applications of instructions to whole registers."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal, TypeAlias, assert_never

from isel.ir.build import concat, extract
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, const, elem, leaves, var
from isel.ir.limits import KEPT_TERMS
from isel.spec.instruction import Instruction

Kind: TypeAlias = Literal["leaf", "const", "undef", "slice", "join", "view", "apply"]
LaneValues: TypeAlias = tuple[Expr | None, ...]
_CHOSEN: Final = "chosen"  # what names of undefined lanes begin with, of which any value will do


@dataclass(frozen=True, slots=True)
class Step:
    """One value of a program: ``lanes`` elements of ``width`` bits.

    leaf: the window's leaf ``name``.  const: ``values`` (None is any value).  undef: any value.
    slice: the elements ``first, first+1, …`` of one argument.  join: the arguments one after the
    other, first argument lowest.  view: the bits of the argument in elements of another width.
    apply: ``name`` is an instruction, ``args`` its operands in order, ``immediates`` its constants.
    """

    kind: Kind
    width: int
    lanes: int
    args: tuple[int, ...] = ()
    name: str = ""
    immediates: tuple[tuple[str, int], ...] = ()
    values: tuple[int | None, ...] = ()
    first: int = 0


@dataclass(frozen=True, slots=True)
class Program:
    """Steps in order, each using earlier ones, and the step that gives each root."""

    steps: tuple[Step, ...]
    roots: tuple[int, ...]
    cost: int = field(default=0, compare=False)

    @property
    def rank(self) -> tuple[int, int, str]:
        """What orders programs, the best first: their price, then how many instructions they
        have, then their text.
        """
        return self.cost, sum(s.kind == "apply" for s in self.steps), self.text()

    def text(self) -> str:
        """Return one line a step; :func:`read_program` reads it back."""
        return (
            "\n".join(_line(i, s) for i, s in enumerate(self.steps))
            + f"\nroots {' '.join(map(str, self.roots))}\n"
        )


def _line(i: int, s: Step) -> str:
    parts = [f"%{i} = {s.kind} {s.lanes}x{s.width}"]
    if s.name:
        parts.append(s.name)
    parts.extend(f"%{a}" for a in s.args)
    parts.extend(f"{n}={v}" for n, v in s.immediates)
    if s.kind == "slice":
        parts.append(f"@{s.first}")
    if s.kind == "const":
        parts.append("[" + ",".join("_" if v is None else str(v) for v in s.values) + "]")
    return " ".join(parts)


def read_program(text: str) -> Program:
    """Read the text of :meth:`Program.text`; raise ``ValueError`` for anything else."""
    steps: list[Step] = []
    for line in text.splitlines():
        words = line.split()
        if words and words[0] == "roots":
            return Program(tuple(steps), tuple(int(w) for w in words[1:]))
        _, _, kind, shape, *rest = words
        lanes, width = (int(x) for x in shape.split("x"))
        name, first = "", 0
        args: list[int] = []
        imms: list[tuple[str, int]] = []
        values: tuple[int | None, ...] = ()
        for w in rest:
            if w[0] == "%":
                args.append(int(w[1:]))
            elif w[0] == "@":
                first = int(w[1:])
            elif w[0] == "[":
                values = tuple(None if v == "_" else int(v) for v in w[1:-1].split(","))
            elif "=" in w:
                n, v = w.split("=")
                imms.append((n, int(v)))
            else:
                name = w
        if kind not in ("leaf", "const", "undef", "slice", "join", "view", "apply"):
            raise ValueError(f"unknown step '{kind}'")
        steps.append(Step(kind, width, lanes, tuple(args), name, tuple(imms), values, first))  # type: ignore[arg-type]
    raise ValueError("a program without roots")


def invariant_steps(program: Program, leaves: Container[str]) -> frozenset[int]:
    """Return the steps that are made of ``leaves``, of which at least one, and of nothing else but
    what is the same anyway; with what they need.
    """
    fixed: list[bool | None] = []  # None: whatever leaves are
    for s in program.steps:
        if s.kind == "leaf":
            fixed.append(s.name in leaves)
        else:
            of = {fixed[a] for a in s.args} - {None}
            fixed.append(all(of) if of else None)
    found = {k for k, f in enumerate(fixed) if f}
    for k in sorted(found, reverse=True):
        found.update(a for a in program.steps[k].args if fixed[a] is None)
    return frozenset(found)


def view_lanes(lanes: LaneValues, width: int, new: int) -> LaneValues:
    """Cut or join lanes of ``width`` bits into lanes of ``new`` bits, lowest first."""
    if width == new:
        return lanes
    if new < width:
        return tuple(
            None if e is None else extract(e, k, new) for e in lanes for k in range(0, width, new)
        )
    r = new // width
    out: list[Expr | None] = []
    for i in range(0, len(lanes), r):
        part = lanes[i : i + r]
        value = part[0]
        for e in part[1:]:
            value = None if value is None or e is None else concat(e, value)
        out.append(value)
    return tuple(out)


def meaning(program: Program, instructions: Mapping[str, Instruction]) -> list[LaneValues]:
    """Return the lanes of every step over the leaves; ``None`` where a value depends on an
    undefined lane.
    """
    return _lanes(program, instructions, chosen=False)


def outputs(
    program: Program, instructions: Mapping[str, Instruction], wanted: Sequence[LaneValues]
) -> list[LaneValues]:
    """Return the lanes of each root of a program over the leaves; ``None`` where a ``wanted`` one
    cannot do with whatever the undefined lanes hold: each holds something.
    """
    plain = _lanes(program, instructions, chosen=False)
    found = [plain[r] for r in program.roots]
    rows = (zip(x, y, strict=False) for x, y in zip(found, wanted, strict=True))
    if all(e is not None or w is None for row in rows for e, w in row):
        return found
    free = _lanes(program, instructions, chosen=True)
    return [tuple(None if _rests_on_choice(e) else e for e in free[r]) for r in program.roots]


def _rests_on_choice(e: Expr | None) -> bool:
    return e is None or any(x.op == "var" and x.source.startswith(_CHOSEN) for x in leaves(e))


def _lanes(
    program: Program, instructions: Mapping[str, Instruction], *, chosen: bool
) -> list[LaneValues]:
    done: list[LaneValues] = []
    for k, s in enumerate(program.steps):
        widths = [program.steps[a].width for a in s.args]
        lanes = step_lanes(s, [done[a] for a in s.args], widths, instructions)
        if chosen and s.kind in ("const", "undef"):
            lanes = tuple(
                var(f"{_CHOSEN}{k}.{i}", s.width) if e is None else e for i, e in enumerate(lanes)
            )
        done.append(lanes)
    return done


def step_lanes(
    s: Step, args: list[LaneValues], widths: list[int], instructions: Mapping[str, Instruction]
) -> LaneValues:
    """Return the lanes of a step over the leaves, given those of its arguments and their widths."""
    match s.kind:
        case "leaf":
            return tuple(elem(s.name, i * s.width, s.width) for i in range(s.lanes))
        case "const":
            return tuple(None if v is None else const(v, s.width) for v in s.values)
        case "undef":
            return (None,) * s.lanes
        case "slice":
            return args[0][s.first : s.first + s.lanes]
        case "join":
            return tuple(e for a in args for e in a)
        case "view":
            return view_lanes(args[0], widths[0], s.width)
        case "apply":
            return apply_lanes(instructions[s.name], args, dict(s.immediates))
        case _:
            assert_never(s.kind)


def apply_lanes(
    instruction: Instruction, args: list[LaneValues], immediates: Mapping[str, int]
) -> LaneValues:
    """Return the result lanes of an instruction applied to lanes of its operands' element
    widths.
    """
    env: dict[Expr, Expr | None] = {}
    for o, lanes in zip(instruction.operands, args, strict=True):
        for i, e in enumerate(lanes):
            env[elem(o.name, i * o.width, o.width)] = e
    result: list[Expr | None] = []
    for i in range(instruction.lanes):
        f = instruction.lane(i, immediates)
        result.append(_instance(f, tuple([env[x] for x in leaves(f)])))
    return tuple(result)


@lru_cache(maxsize=KEPT_TERMS)
def _instance(f: Expr, values: LaneValues) -> Expr | None:
    """Instantiate a lane by values of its leaves; None where it depends on an undefined one (an
    entry that a constant index passes over does not matter).
    """
    given = {
        x: var(f"undefined{n}", x.width) if v is None else v
        for n, (x, v) in enumerate(zip(leaves(f), values, strict=True))
    }
    lane = instantiate(f, given)
    unknown = {given[x] for x, v in zip(given, values, strict=True) if v is None}
    return lane if unknown.isdisjoint(leaves(lane)) else None
