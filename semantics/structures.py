"""A module in which what loads and stores structures by intrinsics of its own machine does it by
loads, shuffles and stores.

An access has the bytes of all its registers and no alignment: what is not aligned is allowed in
normal memory (Arm ARM DDI 0487, B2.5.2, where SCTLR_ELx.A is 0; Intel SDM 2A, LDDQU).  Structure i
of n registers is the elements n*i to n*i+n-1 in memory, one a register (Arm ARM C7.2, LD2, LD3, LD4
and ST2, ST3, ST4 "multiple structures"); LD1 and ST1 of several registers have one register after
the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from frontends.llvm.text.rewording import free_stem
from semantics.arm.reductions import plain_reductions

_ARM: Final = r"aarch64\.neon\.(?:ld|st)(?P<one>1x)?(?P<n>[234])\.v\d+\w+\.p0"
_X86: Final = r"x86\.(?:sse3\.ldu\.dq|avx\.ldu\.dq\.256)"
_CALL: Final = (
    r"  (?:(?P<name>%\S+) = )?(?:tail )?call (?P<type>\{{[^}}]*\}}|<[^>]*>|void) @llvm\.{}\("
    r"(?P<given>.*?)(?:, )?ptr (?:(?:nonnull|noundef|readonly|writeonly) )*"
    r'(?P<at>%"[^"]*"|[%@][-\w$.]+)\)(?P<rest>(?:, !.*)?)'
)
_CALLS: Final = {
    "aarch64": re.compile(_CALL.format(_ARM)), "arm64": re.compile(_CALL.format(_ARM)),
    "x86_64": re.compile(_CALL.format(_X86)), "i686": re.compile(_CALL.format(_X86)),
}  # fmt: skip
_TRIPLE: Final = re.compile(r'^target triple = "(\w+)-', re.MULTILINE)
_PART: Final = re.compile(r"  (%\S+) = extractvalue \{[^}]*\} (%\S+), (\d+)(.*)")
_VECTOR: Final = re.compile(r"<(\d+) x (\w+)>")
_REGISTER: Final = re.compile(r"(?:, )?(<\d+ x \w+>) (%\S+?|[a-z]+|<[^%@]*>)(?=, <\d+ x \w+> |$)")
_ELSEWHERE: Final = ("strict-align", "null_pointer_is_valid")  # where an access is another thing


def plain_structures(text: str, frozen: str | None = None) -> str:
    """Return the printed text of a module with plain accesses in place of those of its machine; one
    that has words which a plain access lacks stays as it is.

    What is stored is frozen in a source, in which what an intrinsic does is a function of frozen
    arguments (R4): a function whose name begins with ``frozen``.  Loads are right in
    a source where memory is defined.
    """
    pattern, stem, lines = _pattern(text), free_stem(text, "structure"), text.split("\n")
    if pattern is None:
        return text
    for body in _bodies(lines):
        head = lines[body.start]  # of which the first global is the function
        choice = frozen is not None and re.match(f"[^@]*{frozen}", head) is not None
        for k in body:
            m = pattern.fullmatch(lines[k])
            if m is not None and m["type"] == "void":
                lines[k] = "\n".join(_store(m, f"%{stem}.{k}", choice)) or lines[k]
            elif m is not None:
                _load_all(lines, body, k, m)
    return "\n".join(lines)


def _pattern(text: str) -> re.Pattern[str] | None:
    """Return how the accesses of a module's machine are written, None where there are none."""
    machine = _TRIPLE.search(text)
    if machine is None or any(word in text for word in _ELSEWHERE):
        return None
    return _CALLS.get(machine[1])


def plain_calls(text: str) -> str:
    """Return a module to be written for another machine: with plain accesses, and with the least
    and greatest of lanes in LLVM's own words.
    """
    return plain_reductions(plain_structures(text))


def _bodies(lines: list[str]) -> list[range]:
    """Return where functions begin and end."""
    ends = (k for k, line in enumerate(lines) if line == "}")
    begins = (k for k, line in enumerate(lines) if line.startswith("define "))
    return [range(*at) for at in zip(begins, ends, strict=True)]


def _load(m: re.Match[str], kind: str) -> str:
    return f"  {m['name']} = load {kind}, ptr {m['at']}, align 1{m['rest']}"


def _load_all(lines: list[str], body: range, at: int, m: re.Match[str]) -> None:
    """Write a load, of structures where all that is done with them is to take a register."""
    if m["type"][0] == "<":
        lines[at] = _load(m, m["type"])
        return
    named = re.compile(re.escape(m["name"]) + r"(?![-\w$.])")
    parts = {k: _PART.fullmatch(lines[k]) for k in body if k != at and named.search(lines[k])}
    vector = _VECTOR.search(m["type"])
    if vector is None or None in parts.values():
        return
    count, n = int(vector[1]), int(m["n"])
    whole = f"<{n * count} x {vector[2]}>"
    lines[at] = _load(m, whole)
    for k, p in parts.items():
        if p is not None:
            places = (_place(int(p[3]), i, n, count, m) for i in range(count))
            lines[k] = f"  {p[1]} = {_shuffle(whole, p[2], 'poison', places)}{p[4]}"


def _place(register: int, i: int, n: int, count: int, m: re.Match[str]) -> int:
    """Return which element in memory is element ``i`` of a register."""
    return register * count + i if m["one"] else i * n + register


def _registers(m: re.Match[str]) -> list[str]:
    """Return what a call stores, empty where more than types is said of it."""
    found = list(_REGISTER.finditer(m["given"]))
    plain = len(found) == int(m["n"]) and "".join(r[0] for r in found) == m["given"]
    return [r[2] for r in found] if plain else []


def _store(m: re.Match[str], name: str, frozen: bool) -> Iterator[str]:
    """Yield the lines of a store, none where something is said of what is stored."""
    values, vector = _registers(m), _VECTOR.match(m["given"])
    if vector is None or not values:
        return
    if frozen:
        names = [f"{name}.f{k}" for k in range(len(values))]
        yield from (f"  {x} = freeze {vector[0]} {v}" for x, v in zip(names, values, strict=True))
        values = names
    n, count = len(values), int(vector[1])
    places = {_place(r, i, n, count, m): r * count + i for r in range(n) for i in range(count)}
    values = values + ["poison"] * (n % 2)
    while len(values) > 1:
        kind, names = f"<{count} x {vector[2]}>", [f"{name}.{count}.{k}" for k in range(2)]
        yield from _halves(kind, values, names, 2 * count)
        values, count = names[: len(values) // 2], 2 * count
    mask = map(places.__getitem__, range(len(places)))
    yield f"  {name} = {_shuffle(f'<{count} x {vector[2]}>', values[0], 'poison', mask)}"
    yield f"  store <{len(places)} x {vector[2]}> {name}, ptr {m['at']}, align 1{m['rest']}"


def _halves(kind: str, values: list[str], names: list[str], count: int) -> Iterator[str]:
    """Yield the shuffles that put values together, two by two."""
    for name, a, b in zip(names, values[::2], values[1::2], strict=False):
        yield f"  {name} = {_shuffle(kind, a, b, range(count))}"


def _shuffle(kind: str, a: str, b: str, mask: Iterable[int]) -> str:
    places = [f"i32 {i}" for i in mask]
    return f"shufflevector {kind} {a}, {kind} {b}, <{len(places)} x i32> <{', '.join(places)}>"
