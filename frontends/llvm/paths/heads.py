"""The heads of two functions compared: attributes of the function, its result and its arguments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import starmap

from frontends.llvm.meaning.border import Rule, is_tuning, rule_of, whole
from frontends.llvm.text.ast import Argument, Function, PtrType
from frontends.llvm.text.calls import read_attributes
from frontends.llvm.text.identity import Contents, Pairing, local_names, tokens, without_machine
from frontends.llvm.text.syntax import integer_shape
from frontends.llvm.text.tokens import Cursor


@dataclass(frozen=True, slots=True)
class Compared:
    """``problem``: why two functions cannot be compared, else empty.

    ``uncertain``: why no counterexample counts, else empty.  ``more``: what the target says of an
    argument, or of itself (``""``), that the source does not, where execution shows whether it is
    so.
    """

    problem: str = ""
    uncertain: str = ""
    more: tuple[tuple[str, str], ...] = ()


def read_all(text: str, contents: Contents) -> tuple[list[str], list[str]]:
    """Return the attributes that a text begins with, groups replaced by what they hold, and the
    tokens behind them.
    """
    c = Cursor(text)
    found: list[str] = []
    while True:
        if c.token[:1] == "#":
            found += whole(contents.group(c.next())) if c.token in contents.named else [c.next()]
            continue
        some = read_attributes(c)
        if not some:
            return _name(found), [t for t in c.tokens[c.at :] if t]
        found += some


def _name(attributes: Sequence[str]) -> list[str]:
    """Join words with the name that follows them: ``section "a"``."""
    found: list[str] = []
    for a in attributes:
        if found and found[-1] in ("section", "partition", "gc") and a[:1] == '"':
            found[-1] += f" {a}"
        else:
            found.append(a)
    return found


def compare(source: Function, target: Function, pairing: Pairing) -> Compared:
    """Compare what surrounds the bodies of two functions."""
    mine, theirs = _tail(source, pairing.source), _tail(target, pairing.target)
    if mine is None or theirs is None:
        return Compared("a head that is not understood, or a variable number of arguments")
    heads = [
        ("result", "", source.returns, target.returns),
        ("function", "", mine.attributes, theirs.attributes),
        *(
            (_kind(a), b.name, a.attributes, b.attributes)
            for a, b in zip(source.arguments, target.arguments, strict=True)
        ),
    ]
    parts = list(starmap(partial(_attributes, pairing), heads))
    if not pairing.same(mine.rest, theirs.rest, (local_names(source), local_names(target))):
        parts.append(Compared("what follows the attributes of the functions differs"))
    return Compared(
        _first(p.problem for p in parts),
        _first(p.uncertain for p in parts),
        tuple(x for p in parts for x in p.more),
    )


def _first(reasons: Iterable[str]) -> str:
    return next((r for r in reasons if r), "")


def _kind(a: Argument) -> str:
    if isinstance(a.type, PtrType):
        return "pointer argument"
    return "argument" if integer_shape(a.type) is not None else "argument of another type"


@dataclass(frozen=True, slots=True)
class _Tail:
    attributes: tuple[str, ...]
    rest: tuple[str, ...]


def _tail(function: Function, contents: Contents) -> _Tail | None:
    """Return what stands between the parameters of a definition, known in number, and its body."""
    c = Cursor(function.head)
    name = f"@{function.name}"
    while c.token and c.token != name:
        c.at += 1
    if not c.take(name):
        return None
    start = c.at
    c.skip_balanced()
    variadic = "..." in c.tokens[start : c.at]
    attributes, rest = read_all(function.head[c.position :], contents)
    if rest[-1:] != ["{"] or variadic:
        return None
    attributes = [f"comdat(${function.name})" if a == "comdat" else a for a in attributes]
    return _Tail(tuple(attributes), tuple(tokens(" ".join(rest[:-1]))))


def _attributes(
    pairing: Pairing, place: str, name: str, mine: Sequence[str], theirs: Sequence[str]
) -> Compared:
    a, b = (_by_rule(place, _to_agree_on(x, pairing)) for x in (mine, theirs))
    if odd := [*a[None], *b[None]]:
        return Compared(f"what '{odd[0]}' says of the {place} is not understood")
    for rule in (Rule.ALIKE, Rule.PROMISE):
        if len(a[rule]) != len(b[rule]) or _new(b[rule], a[rule], pairing):
            differ = ", ".join(sorted({*a[rule]} ^ {*b[rule]})) or "types"
            return Compared(f"the attributes of the {place} differ: {differ}")
    new = {r: _new(b[r], a[r], pairing) for r in Rule}
    if more := ", ".join((*new[Rule.CALLER], *new[Rule.SOURCE])):
        return Compared(f"the target has an attribute of the {place} that the source lacks: {more}")
    promised = (f"what breaks '{x}' is not modelled" for x in a[Rule.PROMISE] + a[Rule.SOURCE])
    shown = tuple((name, x) for x in (*new[Rule.MODELLED], *new[Rule.TRUE]))
    return Compared("", _first(promised), shown)


def _by_rule(place: str, attributes: Iterable[str]) -> dict[Rule | None, list[str]]:
    found: dict[Rule | None, list[str]] = {r: [] for r in (*Rule, None)}
    for text in attributes:
        found[rule_of(place, text)].append(text)
    return found


def _to_agree_on(attributes: Sequence[str], pairing: Pairing) -> Sequence[str]:
    """Return the attributes that two sides have to agree on."""
    found = [a for a in attributes if not is_tuning(a)]
    return [a for a in found if without_machine(a)] if pairing.across else found


def _new(some: Sequence[str], others: Sequence[str], pairing: Pairing) -> list[str]:
    """Return which of ``some`` say what none of ``others`` says."""
    kinds = [(y.partition("(")[0], tokens(y)) for y in others]
    asked = [(x, x.partition("(")[0], tokens(x)) for x in some]
    return [x for x, a, t in asked if not any(a == b and pairing.same(y, t) for b, y in kinds)]


def function_attributes(function: Function, contents: Contents) -> tuple[str, ...]:
    """Return the attributes of a function as written, those of its groups among them."""
    found = _tail(function, contents)
    return () if found is None else found.attributes


def argument_access(a: Argument, attributes: Iterable[str]) -> tuple[bool, bool]:
    """Tell whether a function with these attributes may read, and may write, through a pointer
    argument.
    """
    words = set(a.attributes)
    memory = next((x for x in attributes if x.startswith("memory(")), None)
    read, write = may_access(memory, "argmem") if memory is not None else (True, True)
    return read and not words & {"writeonly", "readnone"}, write and not words & {
        "readonly",
        "readnone",
    }


def may_access(memory: str, where: str) -> tuple[bool, bool]:
    """Return whether ``memory(...)`` lets a function read, and write, a kind of memory, as that
    of its arguments (``argmem``).
    """
    kinds: dict[str, str] = {}
    for part in memory[len("memory(") : -1].split(","):
        kind, colon, access = part.strip().partition(":")
        kinds[kind.strip() if colon else ""] = access.strip() if colon else kind.strip()
    access = kinds.get(where, kinds.get("", "none"))
    return access in ("read", "readwrite"), access in ("write", "readwrite")
