"""AutoLLVM calls of a module read: the class that each names, its lanes and operands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from equiv_classes.calls import Called, lanes_of, numbers_of, over_elements, read_name
from equiv_classes.dictionary import Dictionary, EquivClass
from frontends.llvm.text.ast import Instr, Literal, Local, Module, Operand
from frontends.llvm.text.syntax import integer_shape, number
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, const, leaves
from isel.ir.ops import WidthError


@dataclass(frozen=True, slots=True)
class Call:
    """A call of the dictionary: its class, its lanes over elements of its operands by letter, and
    the operands themselves.
    """

    instr: Instr
    found: Called
    lanes: tuple[Expr, ...]
    operands: Mapping[str, Operand]

    @property
    def variable(self) -> tuple[str, ...]:
        """The letters of operands that are no constants."""
        return tuple(x for x, o in self.operands.items() if isinstance(o, Local))


def calls_in(module: Module) -> Iterator[Instr]:
    """Yield the calls of a module's functions, in order."""
    for f in module.functions:
        yield from (i for i in f.view if i.opcode == "call")


class NoCall(Exception):
    """What is wrong with a call of the dictionary: what, what was expected, what is near."""

    def __init__(self, why: str, expected: str) -> None:
        super().__init__(why)
        self.why = why
        self.expected = expected


def read_call(i: Instr, dictionary: Dictionary) -> Call:
    """Read a call; raise :class:`NoCall` for one that no class is."""
    found = read_name(i.callee, dictionary)
    if found is None:
        raise NoCall(f"'@{i.callee}' is no class of the dictionary", _nearest(i.callee, dictionary))
    c = found.of
    count = len(c.letters)
    shapes = [integer_shape(o.type) for o in i.operands[:count]]
    if integer_shape(i.type) != found.result or tuple(shapes) != found.operands:
        raise NoCall(f"types that are not those of '@{i.callee}'", "the types of its name")
    numbers = [as_signed(number(o)) for o in i.operands[count:]]
    names = numbers_of(c)
    if len(numbers) != len(names) or None in numbers:
        raise NoCall(f"{len(numbers)} constants", f"{len(names)}: {' '.join(names) or 'none'}")
    given = tuple(n for n in numbers if n is not None)
    _check_parameters(c, given)
    try:
        lanes = lanes_of(found, given)
    except (ValueError, ArithmeticError, LookupError, WidthError) as problem:
        raise NoCall(f"constants that do not fit the types: {problem}", "a member's") from None
    return Call(i, found, lanes, dict(zip(c.letters, i.operands, strict=False)))


def _check_parameters(c: EquivClass, given: Sequence[int]) -> None:
    for k, name in enumerate(c.parameters):
        values = sorted({m.values[k] for m in c.members})
        if given[k] not in values:
            near = min(values, key=lambda v: (abs(v - given[k]), v))
            raise NoCall(f"parameter {name} = {given[k]}, which no member has", f"{near}")


def as_signed(value: int | None) -> int | None:
    """Return a trailing constant with its sign."""
    return value if value is None or value < 1 << 31 else value - (1 << 32)


def _nearest(name: str, dictionary: Dictionary) -> str:
    words = name.removeprefix("autollvm.").split(".")
    names = [c.name for c in dictionary.classes if not c.reason]
    near = get_close_matches(words[0], names, 1, 0)
    return f"'{near[0]}' with the types of result and operands" if near else "one of the dictionary"


def whole_elements(call: Call) -> tuple[Expr, ...]:
    """Return the lanes over elements of the operands' own types, constants filled in."""
    widths = {x: s[1] for x, s in zip(call.found.of.letters, call.found.operands, strict=True)}
    lanes = over_elements(call.lanes, widths)
    known: dict[Expr, Expr] = {}
    for x in leaves(*lanes):
        o = call.operands[x.source]
        if isinstance(o, Literal):
            value = o.lanes[x.offset // x.width]
            known[x] = const(value if isinstance(value, int) else 0, x.width)
    return tuple(instantiate(e, known) for e in lanes)
