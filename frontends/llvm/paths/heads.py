"""The heads of two functions compared: attributes of the function, its result and its arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from frontends.llvm.paths.border import Rule, is_tuning, rule_of, whole
from frontends.llvm.text.ast import Argument, Function, PtrType
from frontends.llvm.text.calls import read_attributes
from frontends.llvm.text.identity import (
    Contents,
    Pairing,
    local_names,
    tokens,
    without_machine,
)
from frontends.llvm.text.syntax import integer_shape
from frontends.llvm.text.tokens import Cursor


@dataclass(frozen=True, slots=True)
class Compared:
    """``problem``: why two functions cannot be compared, else empty.

    ``uncertain``: why no counterexample counts, else empty.
    """

    problem: str = ""
    uncertain: str = ""


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
        return Compared("a head that is not understood")
    if mine.variadic or theirs.variadic:
        return Compared("a variable number of arguments")
    parts = [
        _attributes("result", source.returns, target.returns, pairing),
        _attributes("function", mine.attributes, theirs.attributes, pairing),
        *(
            _attributes(_kind(a), a.attributes, b.attributes, pairing)
            for a, b in zip(source.arguments, target.arguments, strict=True)
        ),
    ]
    if not pairing.same(mine.rest, theirs.rest, (local_names(source), local_names(target))):
        parts.append(Compared("what follows the attributes of the functions differs"))
    return Compared(_first(p.problem for p in parts), _first(p.uncertain for p in parts))


def _first(reasons: Iterable[str]) -> str:
    return next((r for r in reasons if r), "")


def _kind(a: Argument) -> str:
    if isinstance(a.type, PtrType):
        return "pointer argument"
    return "argument" if integer_shape(a.type) is not None else "argument of another type"


@dataclass(frozen=True, slots=True)
class _Tail:
    variadic: bool
    attributes: tuple[str, ...]
    rest: tuple[str, ...]


def _tail(function: Function, contents: Contents) -> _Tail | None:
    """Return what stands between the parameters of a definition and its body."""
    c = Cursor(function.head)
    name = f"@{function.name}"
    while c.token and c.token != name:
        c.at += 1
    if not c.take(name):
        return None
    start = c.at
    c.skip_balanced()
    parameters = c.tokens[start : c.at]
    attributes, rest = read_all(function.head[c.position :], contents)
    if rest[-1:] != ["{"]:
        return None
    attributes = [f"comdat(${function.name})" if a == "comdat" else a for a in attributes]
    return _Tail("..." in parameters, tuple(attributes), tuple(tokens(" ".join(rest[:-1]))))


def _attributes(
    place: str, mine: Sequence[str], theirs: Sequence[str], pairing: Pairing
) -> Compared:
    kept: dict[Rule, tuple[list[str], list[str]]] = {r: ([], []) for r in Rule}
    for side, given in enumerate((mine, theirs)):
        for text in _to_agree_on(given, pairing):
            rule = rule_of(place, text)
            if rule is None:
                return Compared(f"what '{text}' says of the {place} is not understood")
            kept[rule][side].append(text)
    for rule in (Rule.ALIKE, Rule.PROMISE):
        a, b = kept[rule]
        if len(a) != len(b) or not _is_covered(b, a, pairing):
            return Compared(f"the attributes of the {place} differ: {_difference(a, b)}")
    for rule in (Rule.CALLER, Rule.SOURCE):
        a, b = kept[rule]
        if not _is_covered(b, a, pairing):
            return Compared(
                f"the target has an attribute of the {place} that the source lacks: "
                f"{_difference(a, b)}"
            )
    promised = [*kept[Rule.PROMISE][0], *kept[Rule.SOURCE][0]]
    return Compared("", f"what breaks '{promised[0]}' is not modelled" if promised else "")


def _to_agree_on(attributes: Sequence[str], pairing: Pairing) -> Sequence[str]:
    """Return the attributes that two sides have to agree on."""
    found = [a for a in attributes if not is_tuning(a)]
    return [a for a in found if without_machine(tokens(a))] if pairing.across else found


def promises_more(
    source: Function, target: Function, pairing: Pairing, holds: Callable[[str, str], bool]
) -> str:
    """Return what the target says of itself that the source does not, empty if it is nothing: how
    values are handed over to another machine does not count.

    ``holds`` tells of an argument's name, empty for the function, and an attribute whether the
    target's own body keeps it.
    """
    mine, theirs = _tail(source, pairing.source), _tail(target, pairing.target)
    if mine is None or theirs is None:
        return "a head that is not understood"
    pairs = [
        ("", source.returns, target.returns),
        ("", mine.attributes, theirs.attributes),
        *(
            (b.name, a.attributes, b.attributes)
            for a, b in zip(source.arguments, target.arguments, strict=True)
        ),
    ]
    for name, a, b in pairs:
        said = _to_agree_on(a, pairing)
        more = (x for x in _to_agree_on(b, pairing) if not _is_covered([x], said, pairing))
        if new := next((x for x in more if not holds(name, x)), ""):
            return f"the target is '{new}', the source is not"
    return ""


def _difference(a: Sequence[str], b: Sequence[str]) -> str:
    return ", ".join(sorted(set(a) ^ set(b))) or "types"


def _is_covered(some: Sequence[str], others: Sequence[str], pairing: Pairing) -> bool:
    """Tell whether each of ``some`` says what one of ``others`` says."""
    return all(
        any(
            pairing.same(tokens(y), tokens(x))
            for y in others
            if y.partition("(")[0] == x.partition("(")[0]
        )
        for x in some
    )


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
