"""Names of classes: the operation of :mod:`isel.rules.derived` whose skeleton it is, else its
operators.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from equiv_classes.normal import Normalizer
from equiv_classes.skeleton import Skeletons
from isel.ir.expr import Expr, elem
from isel.rules import derived

_OPERATOR: Final = re.compile(r"\(([a-z]+)")
_WIDTH: Final = 16
_MOST_WORDS: Final = 5


def _known() -> Iterator[tuple[str, Expr]]:
    a, b, c = elem("a", 0, _WIDTH), elem("b", 0, _WIDTH), elem("c", 0, _WIDTH)
    yield "move", a
    for name, one in derived.UNARY.items():
        yield name, one(a)
    for name, two in derived.BINARY.items():
        yield name, two(a, b)
    for name, narrow in derived.NARROWING.items():
        if name != "trunc":
            yield name, narrow(a, _WIDTH // 2)
    for name, compare in derived.COMPARES.items():
        yield f"cmp_{name}", compare(a, b)
        yield f"mask_{name}", derived.mask_of(compare(a, b), _WIDTH)
    shifts: Mapping[str, Callable[[Expr, Expr, Expr], Expr]] = {
        "fshl": derived.fshl,
        "fshr": derived.fshr,
    }
    for name, shift in shifts.items():
        yield name, shift(a, b, c)
        yield name.replace("fsh", "rot"), shift(a, a, c)


@cache
def _by_skeleton() -> Mapping[str, str]:
    normal, skeleton = Normalizer({"a": 0, "b": 1, "c": 2}), Skeletons()
    found: dict[str, str] = {}
    for name, e in _known():
        found.setdefault(skeleton(normal(e)).key, name)
    return found


class Namer:
    """Gives each class a name of its own; the same skeletons in the same order get the same
    names.
    """

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def name(self, skeletons: Sequence[str], immediate: bool) -> str:
        """Return a name for the kinds of a class; ``immediate`` says that an immediate has a
        say in it.
        """
        words = dict.fromkeys(self._word(s) for s in skeletons)
        return self.unique("_".join(words) + ("_imm" if immediate else ""))

    def unique(self, wanted: str) -> str:
        """Return ``wanted``, with a number where it is taken."""
        k, text = 2, wanted
        while text in self._taken:
            text = f"{wanted}_{k}"
            k += 1
        self._taken.add(text)
        return text

    def _word(self, skeleton: str) -> str:
        known = _by_skeleton().get(skeleton)
        if known is not None:
            return known
        operators = [x for x in dict.fromkeys(_OPERATOR.findall(skeleton)) if x != "let"]
        return "_".join(operators[:_MOST_WORDS]) or "constant"
