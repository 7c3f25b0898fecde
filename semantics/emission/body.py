"""The body of a compiled C function as an emission: operands by name in their natural types, no
glue of C types.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from semantics.emission.prototype import Entry, Kind

_LOAD: Final = re.compile(r"(%\d+) = load volatile (<[^>]+>), ptr (%\d+),.*")
_STORE: Final = re.compile(r"store volatile (<[^>]+>) (.+), ptr (%\d+), .*")
_RETURN: Final = re.compile(r"ret (\S+) (\S+)")
_BITCAST: Final = re.compile(r"(%[\w.]+) = bitcast (<[^>]+>|i\d+) (\S+) to (<[^>]+>|i\d+)")
_NAME: Final = re.compile(r"%[\w.]+")
_NOISE: Final = re.compile(
    r"\b(?:tail|noundef|signext|zeroext) |(?:\brange\([^)]*\) )|, ![^,]*$| #\d+"
)
_ZEROS: Final = re.compile(r"<(\d+) x i32> zeroinitializer$")
_EXTRACT: Final = re.compile(
    r"(%[\w.]+) = shufflevector <8 x i1> (%[\w.]+), <8 x i1> poison, <(\d) x i32> <(.*)>"
)
_PADDED: Final = re.compile(
    r"(%[\w.]+) = shufflevector <(\d) x i1> (%[\w.]+), <\d x i1> (?:zeroinitializer|<.*>), <8 x "
    r"i32> <(.*)>"
)


@dataclass(frozen=True, slots=True)
class Body:
    """Lines over ``%<operand>``, temporaries and ``%r``; ``operands`` are names and IR types,
    in C order.
    """

    operands: tuple[tuple[str, str], ...]
    result: str
    lines: tuple[str, ...]


class NotOneBlock(ValueError):
    """The compiled function is no straight line of values."""


def read_body(entry: Entry, text: str) -> Body:
    """Return the body in the types of C; raises :class:`NotOneBlock`."""
    values = [p for p in entry.parameters if not p.immediate]
    shift = int(entry.returned.kind is Kind.VECTOR)
    names = {f"%{k + shift}": f"%{p.name}" for k, p in enumerate(values)}
    operands = tuple((p.name, p.c.ir) for p in values)
    lines: list[str] = []
    given, kind = "", ""
    for raw in text.strip().splitlines():
        line = _NOISE.sub("", raw.strip())
        load, store, returned = (x.fullmatch(line) for x in (_LOAD, _STORE, _RETURN))
        if load:
            names[load[1]] = names[load[3]]
        elif store:
            kind, given = store[1], store[2]
        elif returned:
            kind, given = returned[1], returned[2]
        elif line != "ret void":
            if not re.match(r"%\d+ = ", line):
                raise NotOneBlock(line)
            lines.append(_ZEROS.sub(_all_zero, line) if " = shufflevector " in line else line)
    renamed = [_NAME.sub(lambda m: names.get(m[0], f"%v{m[0][1:]}"), line) for line in lines]
    given = _NAME.sub(lambda m: names.get(m[0], f"%v{m[0][1:]}"), given)
    return _with_result(Body(operands, kind, tuple(renamed)), given)


def _all_zero(m: re.Match[str]) -> str:
    return f"<{m[1]} x i32> <{', '.join(['i32 0'] * int(m[1]))}>"


def _with_result(body: Body, given: str) -> Body:
    """Name the result ``%r``; a constant or operand becomes a bitcast to its own type."""
    defined = {line.partition(" = ")[0] for line in body.lines}
    if given not in defined:
        return replace(
            body, lines=(*body.lines, f"%r = bitcast {body.result} {given} to {body.result}")
        )
    return replace(body, lines=tuple(_rename(line, {given: "%r"}) for line in body.lines))


def _rename(line: str, names: Mapping[str, str]) -> str:
    return _NAME.sub(lambda m: names.get(m[0], m[0]), line)


def natural_types(bodies: Iterable[Body]) -> tuple[dict[str, str], str]:
    """Return the element types in which the bodies use each operand and give the result: the
    most frequent, if used at all.
    """
    votes: dict[str, Counter[str]] = {}
    results: Counter[str] = Counter()
    for body in bodies:
        for name, kind in body.operands:
            seen = votes.setdefault(name, Counter())
            uses = [line for line in body.lines if re.search(rf"%{re.escape(name)}(?![\w.])", line)]
            found = {_used_as(line, f"%{name}", kind, body.lines) for line in uses}
            if len(found) == 1:
                seen[found.pop()] += 1
            elif found:
                seen[kind] += 1
        if not _is_given(body):
            results[_given_as(body)] += 1
    chosen = {name: _narrowest(seen) for name, seen in votes.items()}
    return chosen, _narrowest(results)


def _narrowest(seen: Counter[str]) -> str:
    """Return the type with the smallest elements of those that a fair share asks for; empty
    where none is asked for.
    """
    often = [kind for kind, n in seen.items() if 5 * n >= seen.total()]
    return min(often, key=lambda kind: (int(kind.rpartition("i")[2].rstrip(">")), kind), default="")


def _is_given(body: Body) -> bool:
    """Tell whether the result is a constant or an operand as it stands."""
    cast = _BITCAST.fullmatch(body.lines[-1])
    return len(body.lines) == 1 and cast is not None and cast[2] == cast[4]


def _used_as(line: str, name: str, kind: str, lines: Sequence[str]) -> str:
    cast = _BITCAST.fullmatch(line)
    if cast is None or cast[3] != name:
        return kind
    if cast[4] != "<8 x i1>":
        return cast[4]
    uses = [x for x in lines if x != line and re.search(rf"{re.escape(cast[1])}(?![\w.])", x)]
    narrow = {_lowest(x) for x in uses}
    return f"<{narrow.pop()} x i1>" if len(narrow) == 1 and None not in narrow else cast[4]


def _lowest(line: str) -> int | None:
    """Return n if the line takes the lowest n of eight mask bits."""
    m = _EXTRACT.fullmatch(line)
    return int(m[3]) if m and m[4] == ", ".join(f"i32 {k}" for k in range(int(m[3]))) else None


def _given_as(body: Body) -> str:
    cast = _BITCAST.fullmatch(body.lines[-1])
    if (
        cast is None
        or cast[1] != "%r"
        or not cast[3].startswith("%")
        or cast[3][1:] in dict(body.operands)
    ):
        return body.result
    if cast[2] == "<8 x i1>":
        made = next((line for line in body.lines if line.startswith(cast[3] + " = ")), "")
        padded = _padded(made)
        return f"<{padded[0]} x i1>" if padded else cast[2]
    return cast[2]


def _padded(line: str) -> tuple[int, str] | None:
    """Return n and the value if the line pads n mask bits to eight with zeros."""
    m = _PADDED.fullmatch(line)
    if m is None or "zeroinitializer" not in line:
        return None
    n = int(m[2])
    indices = [int(x.removeprefix("i32 ")) for x in m[4].split(", ")]
    return (n, m[3]) if indices[:n] == list(range(n)) and min(indices[n:]) >= n else None


def retyped(body: Body, operands: Mapping[str, str], result: str) -> Body:
    """Return the body with operands and result of these types, glue folded away where it can
    be; temporaries are renumbered.
    """
    lines = list(body.lines)
    before: list[str] = []
    for name, kind in body.operands:
        wanted = operands.get(name) or kind
        if wanted != kind:
            lines, glue = _folded(lines, name, kind, wanted)
            before.extend(glue)
    lines = [*before, *lines]
    result = result or body.result
    if result != body.result:
        lines = _resulting(lines, body.result, result)
    done = Body(
        tuple((n, operands.get(n) or k) for n, k in body.operands), result, tuple(_live(lines))
    )
    return numbered(done)


def _folded(lines: list[str], name: str, kind: str, wanted: str) -> tuple[list[str], list[str]]:
    """Replace casts of an operand to the wanted type by the operand, and cast it back for other
    uses.
    """
    same: dict[str, str] = {}
    kept: list[str] = []
    narrow = re.fullmatch(r"<([124]) x i1>", wanted)
    casts = [c for c in map(_BITCAST.fullmatch, lines) if c]
    eight = {c[1] for c in casts if (c[3], c[4]) == (f"%{name}", "<8 x i1>")}
    for line in lines:
        cast, lowest = _BITCAST.fullmatch(line), _EXTRACT.fullmatch(line)
        if cast and cast[3] == f"%{name}" and cast[4] == wanted and cast[1] != "%r":
            same[cast[1]] = f"%{name}"
        elif (
            narrow
            and lowest
            and lowest[2] in eight
            and _lowest(line) == int(narrow[1])
            and lowest[1] != "%r"
        ):
            same[lowest[1]] = f"%{name}"
        else:
            kept.append(line)
    kept = [_rename(line, same) if _uses_any(line, same) else line for line in kept]
    protected = set(same)
    raw = f"%{name}.c"
    out: list[str] = []
    again = False
    for old, line in zip(
        [x for x in lines if x.partition(" = ")[0] not in protected], kept, strict=True
    ):
        if re.search(rf"%{re.escape(name)}(?![\w.])", old):
            again = True
            new = re.sub(rf"%{re.escape(name)}(?![\w.])", raw, old)
            out.append(_rename(new, same))
        else:
            out.append(line)
    return out, (cast_lines(f"%{name}", wanted, kind, raw) if again else [])


def _uses_any(line: str, names: Mapping[str, str]) -> bool:
    return any(m in names for m in _NAME.findall(line))


def cast_lines(value: str, have: str, want: str, name: str) -> list[str]:
    """Return lines that give ``value`` of one type as another: masks are widened with zeros or
    cut, the rest has one size.
    """
    n, wanted = _mask_lanes(have), _mask_lanes(want)
    if n == wanted or (not n and wanted >= 8) or (not wanted and n >= 8):
        return [f"{name} = bitcast {have} {value} to {want}"]
    if not n:
        n, whole = 8, f"{name}.8"
        return [
            f"{whole} = bitcast {have} {value} to <8 x i1>",
            *cast_lines(whole, "<8 x i1>", want, name),
        ]
    if not wanted:
        return [
            *cast_lines(value, have, "<8 x i1>", f"{name}.8"),
            f"{name} = bitcast <8 x i1> {name}.8 to {want}",
        ]
    other = "zeroinitializer" if wanted > n else "poison"
    indices = ", ".join(f"i32 {min(k, n)}" for k in range(wanted))
    return [f"{name} = shufflevector {have} {value}, {have} {other}, <{wanted} x i32> <{indices}>"]


def _mask_lanes(kind: str) -> int:
    m = re.fullmatch(r"<(\d+) x i1>", kind)
    return int(m[1]) if m else 0


def _resulting(lines: list[str], have: str, want: str) -> list[str]:
    *rest, last = lines
    cast = _BITCAST.fullmatch(last)
    if cast and not cast[3].startswith("%"):
        constant = _constant(cast[3], want)
        if constant:
            return [f"%r = bitcast {want} {constant} to {want}"]
    if cast and cast[3].startswith("%"):
        made = next((x for x in rest if x.startswith(cast[3] + " = ")), "")
        padded = _padded(made)
        if cast[2] == want and made:
            return [_rename(x, {cast[3]: "%r"}) for x in rest]
        if (
            padded
            and want == f"<{padded[0]} x i1>"
            and any(x.startswith(padded[1] + " = ") for x in rest)
        ):
            return [_rename(x, {padded[1]: "%r"}) for x in rest]
    return [*(_rename(x, {"%r": "%whole"}) for x in lines), *cast_lines("%whole", have, want, "%r")]


def _constant(text: str, want: str) -> str:
    """Return a constant of all zeros or all ones in another type, empty for any other."""
    if text in ("0", "zeroinitializer"):
        return "zeroinitializer" if want.startswith("<") else "0"
    m = re.fullmatch(r"<(\d+) x i1>", want)
    if m and re.fullmatch(r"-?\d+", text):
        full = (1 << int(m[1])) - 1
        return "splat (i1 true)" if int(text) & full == full else ""
    return ""


def _live(lines: Sequence[str]) -> list[str]:
    """Drop what the result does not need, and put the result last."""
    defined = {line.partition(" = ")[0]: line for line in lines}
    needed: set[str] = set()
    todo = ["%r"]
    while todo:
        name = todo.pop()
        if name in needed or name not in defined:
            continue
        needed.add(name)
        todo.extend(_NAME.findall(defined[name].partition(" = ")[2]))
    kept = [line for line in lines if line.partition(" = ")[0] in needed]
    return [
        *(x for x in kept if not x.startswith("%r = ")),
        *(x for x in kept if x.startswith("%r = ")),
    ]


def numbered(body: Body) -> Body:
    """Return the body with temporaries named ``%t0, %t1, …`` in their order."""
    names: dict[str, str] = {}
    for line in body.lines:
        name = line.partition(" = ")[0]
        if name != "%r":
            names[name] = f"%t{len(names)}"
    return replace(body, lines=tuple(_rename(line, names) for line in body.lines))
