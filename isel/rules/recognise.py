"""Derived operations recognised: what a term may be the expansion of, made again and compared.

Operands are read off where the definition has them.  Constructors simplify, so a term need not look
like the definition everywhere: what is made again of the operands must be the very term.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from isel.ir.build import neg, sext, trunc, zext
from isel.ir.expr import Expr
from isel.ir.ops import OPS, WidthError
from isel.rules.books import definitions
from isel.rules.derived import expanded
from isel.rules.syntax import Apply, Fold, Leaf, Pattern, Rule, Swappable, Value
from isel.rules.unfold import width_of


@dataclass(frozen=True, slots=True)
class Use:
    """A derived operation, its attributes and its operands."""

    op: str
    attributes: tuple[int, ...]
    args: tuple[Expr, ...]


@cache
def _by_root() -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the derived operations by the operators at the root of their expansions and below."""
    found: dict[tuple[str, str], list[str]] = {}
    for op, rule in definitions().items():
        root = _last(rule.right)
        assert isinstance(root, Apply)
        first = "" if OPS[root.op].commutes else _op(root.args[0])
        found.setdefault((root.op, first), []).append(op)
    return {key: tuple(ops) for key, ops in found.items()}


def _last(p: Pattern) -> Pattern:
    """Return the pattern whose operator is at the root."""
    while isinstance(p, Swappable | Fold):
        p = p.body
    return p


def _op(p: Pattern) -> str:
    last = _last(p)
    return last.op if isinstance(last, Apply) else ""


def _ordered(p: Apply, e: Expr) -> tuple[Expr, ...]:
    """Return the operands of a term in the order of a pattern, as far as operators tell."""
    if not OPS[p.op].commutes or all(
        _op(x) in ("", a.op) for x, a in zip(p.args, e.args, strict=True)
    ):
        return e.args
    return e.args[::-1]


def recognised(e: Expr, ops: Sequence[str] | None = None) -> Iterator[Use]:
    """Yield the derived operations, of ``ops`` in their order or of all, that a term is."""
    if not e.args:
        return
    keys = ((e.op, e.args[0].op), (e.op, ""))
    near = [op for key in keys for op in _by_root().get(key, ())]
    for op in near if ops is None else [op for op in ops if op in near]:
        use = _use(definitions()[op], e)
        if use is not None and _is(use, e):
            yield use


def _is(use: Use, e: Expr) -> bool:
    try:
        return expanded(use.op, use.args, use.attributes) is e
    except WidthError:
        return False


def _use(rule: Rule, e: Expr) -> Use | None:
    """Return the operands that a term has if it is a derived operation."""
    assert isinstance(rule.left, Apply)
    reader = _Reader()
    joins = _op(rule.right) == "concat"  # each step of a fold has more bits
    width = None if joins else width_of(rule.right).name
    if width is not None:
        reader.sizes[width] = e.width
    reader.read(rule.right, e)
    attributes = [reader.sizes.get(str(n.name)) for n in rule.left.attributes]
    args = [reader.found.get(p.name) for p in rule.left.args if isinstance(p, Leaf)]
    sizes, terms = [a for a in attributes if a is not None], [a for a in args if a is not None]
    if len(sizes) < len(attributes) or len(terms) < len(args):
        return None
    return Use(rule.left.op, tuple(sizes), tuple(terms))


class _Reader:
    """Reads terms where a pattern has leaves; where the two differ it looks no further."""

    def __init__(self) -> None:
        self.sizes: dict[str, int] = {}
        self.found: dict[str, Expr] = {}

    def read(self, p: Pattern, e: Expr) -> None:
        match p:
            case Leaf():
                self.found.setdefault(p.name, e)
            case Swappable():
                self.read(p.body, e)
                for hole, arg in zip(p.holes, p.args, strict=True):
                    if hole.name in self.found:
                        self.read(arg, self.found[hole.name])
            case Fold():
                self.read(p.body, e)
            case Apply() if p.op in ("zext", "sext"):
                self._extended(p, e)
            case Apply("sub") if e.op == "add" and e.args[1].is_const:
                self.read(p.args[0], e.args[0])
                self.read(p.args[1], neg(e.args[1]))
            case Apply() if e.op == p.op:
                for number, value in zip(p.attributes, e.attr, strict=True):
                    if number.name is not None and isinstance(value, int):
                        self.sizes.setdefault(number.name, value)
                for part, operand in zip(p.args, _ordered(p, e), strict=True):
                    self.read(part, operand)
            case Apply() | Value():
                pass

    def _extended(self, p: Apply, e: Expr) -> None:
        """Read what was extended; literals and what was narrower still are extended at once."""
        (inner,) = p.args
        width = self.sizes.get(str(width_of(inner).tree), 0)
        if e.is_const and 0 < width < e.width:
            self.read(inner, trunc(e, width))
        elif e.op in ("zext", "sext") and e.args[0].width < width:
            self.read(inner, (zext if e.op == "zext" else sext)(e.args[0], width))
        elif e.op == p.op:
            self.read(inner, e.args[0])
