"""Instructions of the semantics with the emissions learned for them, over the operands as the
semantics have them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from isel.spec.emission import WHEN
from isel.spec.instruction import Instruction, runs_of
from isel.spec.sem_family import settled, type_text
from semantics.emission.body import Body
from semantics.emission.sections import Learned
from semantics.emission.table import Emission, adapted

_CALL: Final = re.compile(
    r"%r = call (?P<type><[^>]+>|i\d+) @(?P<name>llvm\.[\w.]+)\((?P<given>[^()]*)\)"
)

_ONE: Final = re.compile(r"(%\w+) = bitcast (?:<1 x )?i\d+>? (%\w+) to (?:<1 x )?i\d+>?")
_SPLAT: Final = re.compile(r"<\d+ x i\d+> splat \((i\d+ \$\w+)\)")


def emitting(i: Instruction, emission: Emission, intrinsics: str) -> Instruction:
    """Return the instruction with this emission; ``intrinsics`` is how the names of its target's
    begin.

    Operands and parameters of one name belong together, the others in their order.  Raises
    ``ValueError`` where that does not come out even, or for an operand of another size than the
    parameter (masks may be narrower).
    """
    learned = emission.learned
    given = {o.name: type_text(o.lanes, o.width) for o in i.operands}
    called = _called(i, learned)
    for parameter, kind in learned.operands:
        have = given.get(called.get(parameter, parameter), "")
        if not _fits(have, kind):
            raise ValueError(
                f"{i.name}: operand {parameter} is {have or 'missing'}, expected as many bits as "
                f"{kind}"
            )
    immediate = called.get(learned.immediate, learned.immediate)
    operands = tuple((called.get(n, n), k) for n, k in learned.operands)
    lines: list[str] = []
    for section in learned.sections:
        if len(learned.sections) > 1:
            lines.append(WHEN + condition(immediate, learned.legal, learned.period, section.values))
        body = Body(
            operands, learned.result, tuple(_renamed(line, called) for line in section.lines)
        )
        lines.extend(
            settled(line, i.immediates)
            for line in adapted(body, given, type_text(i.lanes, i.width))
        )
    immediates = tuple(replace(m, width=_width(m.name, lines) or m.width) for m in i.immediates)
    return replace(
        i, immediates=immediates, emission=tuple(lines), call=_call(i, lines, intrinsics)
    )


def _width(immediate: str, lines: Sequence[str]) -> int:
    """Return the width that a call gives to an immediate as its last argument, or 0."""
    found = [
        int(m[1]) for line in lines if (m := re.search(rf" call .*, i(\d+) \${immediate}\)", line))
    ]
    return found[0] if found else 0


def _called(i: Instruction, learned: Learned) -> dict[str, str]:
    """Return the instruction's names of operands and immediates that the emission calls
    otherwise.
    """
    ours = [o.name for o in i.operands]
    theirs = [n for n, _ in learned.operands]
    left = [n for n in theirs if n not in ours]
    other = [n for n in ours if n not in theirs]
    if len(left) != len(other):
        raise ValueError(f"{i.name}: has operands {', '.join(ours)}, expected {', '.join(theirs)}")
    names = dict(zip(left, other, strict=True))
    if [m.name for m in i.immediates] != [learned.immediate] * bool(learned.immediate):
        if len(i.immediates) != bool(learned.immediate):
            raise ValueError(
                f"{i.name}: has {len(i.immediates)} immediates, expected "
                f"{int(bool(learned.immediate))}"
            )
        names[learned.immediate] = i.immediates[0].name
    return names


def condition(immediate: str, legal: int, period: int, values: Sequence[int]) -> str:
    """Return an expression that is not zero at these values of an immediate, modulo its period."""
    name = immediate if period == legal else f"({immediate} % {period})"
    parts = [
        f"({name} == {low})" if low == high else f"({low} <= {name}) & ({name} <= {high})"
        for low, high in runs_of(values)
    ]
    return " | ".join(f"({p})" for p in parts) if len(parts) > 1 else parts[0]


def _fits(have: str, kind: str) -> bool:
    if not have:
        return False
    bits, wanted = _bits(have), _bits(kind)
    return bits == wanted or (bits < wanted and "x i1>" in have) or max(bits, wanted) <= 8


def _bits(kind: str) -> int:
    m = re.fullmatch(r"<(\d+) x i(\d+)>|i(\d+)", kind)
    assert m is not None
    return int(m[3]) if m[3] else int(m[1]) * int(m[2])


def _renamed(line: str, names: Mapping[str, str]) -> str:
    """Rename operands and immediates; the latter stand alone after ``$`` or within braces and
    brackets.
    """
    if not names:
        return line
    line = re.sub(r"%(\w+)(?![\w.])", lambda m: f"%{names.get(m[1], m[1])}", line)
    return re.sub(
        r"\$(?:\w+|\{[^}]*\}|\[[^\]]*\])",
        lambda m: re.sub(r"[A-Za-z_]\w*", lambda w: names.get(w[0], w[0]), m[0]),
        line,
    )


def intrinsic_of(i: Instruction, emission: Emission, intrinsics: str) -> Instruction | None:
    """Return the instruction as calls of its target intrinsic apply it, or None where no call takes
    all operands as they are.

    Its emission is that call in the intrinsic's own types: it names the order of the arguments and
    is not to be emitted.
    """
    called = _called(i, emission.learned)
    for section in emission.learned.sections:
        lines = _unwrapped(tuple(_renamed(line, called) for line in section.lines))
        call = _call(i, lines, intrinsics)
        if call:
            return replace(i, emission=lines, call=call)
    return None


def _unwrapped(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Return a call alone, with an immediate as it is instead of in each element of a vector, and
    operands and result as they are instead of in vectors of one element.
    """
    lines = tuple(_SPLAT.sub(r"\1", line) for line in lines)
    casts = {m[1]: m[2] for line in lines if (m := _ONE.fullmatch(line))}
    others = [line for line in lines if not _ONE.fullmatch(line)]
    if len(others) != 1 or not casts:
        return lines
    defined = others[0].partition(" ")[0]
    if casts.get("%r", "%r") != defined:
        return lines
    names = {**casts, defined: "%r"}
    return (re.sub(r"%\w+", lambda m: names.get(m[0], m[0]), others[0]),)


def _call(i: Instruction, lines: Sequence[str], intrinsics: str) -> str:
    """Return the target intrinsic if the emission is a call of it with each operand and
    immediate once as they are, else nothing.
    """
    m = _CALL.fullmatch(lines[0]) if len(lines) == 1 else None
    if m is None or not m["name"].startswith(intrinsics):
        return ""
    given = re.split(r", (?=<|i\d)", m["given"]) if m["given"] else []
    arguments = [a.rpartition(" ")[2] for a in given]
    wanted = {*(f"%{o.name}" for o in i.operands), *(f"${k.name}" for k in i.immediates)}
    return m["name"] if len(arguments) == len(wanted) and set(arguments) == wanted else ""
