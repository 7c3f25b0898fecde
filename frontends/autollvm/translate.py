"""AutoLLVM of another dictionary in the words of this one, by the formulas in its comments.

A call whose comment says what this dictionary says stays.  Any other one becomes a call of the
class of its name, where that is proved to have the comment's lanes; a name that is unknown, of a
class of the operation that the comment spells.  What is neither is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Final

from equiv_classes.calls import (
    Called,
    call_name,
    environment,
    formula_class,
    lanes_of,
    numbers_of,
    read_name,
    shapes_of,
)
from equiv_classes.dictionary import Dictionary, EquivClass
from equiv_classes.lanes import NormalLanes
from equiv_classes.names import operation_of
from equiv_classes.skeleton import Skeletons
from frontends.autollvm.comments import declared_name, disagreements, without_comments
from frontends.autollvm.limits import LOWER_SETTINGS
from frontends.autollvm.read import as_signed, calls_in
from frontends.autollvm.write import spell_call
from frontends.llvm.linked import binding
from frontends.llvm.text.ast import Instr
from frontends.llvm.text.parse import parse_module
from frontends.llvm.text.syntax import number
from isel.errors import IselError
from isel.ir.expr import Expr, const
from isel.ir.ops import WidthError
from isel.model.verdict import Proved
from isel.verify.prove import Obligation, prove
from isel.verify.saturated import steps_of

_WRONG: Final = (ValueError, ArithmeticError, LookupError, NameError, WidthError, IselError)


@dataclass(frozen=True, slots=True)
class Disagreement(Exception):
    """A comment that is no formula of a class here: the call, its line, what it says and what the
    class of that name is, empty where there is none.
    """

    call: str
    line: int
    said: str
    ours: str


def translate(text: str, dictionary: Dictionary) -> str:
    """Return a module without comments, its calls those of this dictionary; raises
    :class:`Disagreement` for a call that has none.
    """
    bare = without_comments(text)
    other = disagreements(text, dictionary)
    if not other:
        return bare
    module = parse_module(binding.normalise(bare))
    lines = list(module.lines)
    declared: dict[str, str] = {}
    used: set[str] = set()
    for i in (i for i in calls_in(module) if i.callee in other):
        name, lines[i.line], declaration = _rewrite(i, other[i.callee], dictionary)
        declared[name] = declaration
        used.add(i.callee)
    unused = next((call for call in other if call not in used), None)
    if unused is not None:
        raise Disagreement(unused, *other[unused])
    gone = {*other, *declared}
    kept = [x for x in lines if declared_name(x) not in gone]
    return binding.normalise("\n".join([*kept, *declared.values()]) + "\n")


def _rewrite(i: Instr, said: tuple[int, str, str], dictionary: Dictionary) -> tuple[str, str, str]:
    """Return name, line and declaration of the call that one of another dictionary is."""
    new = _call(i, said[1], dictionary)
    if new is None:
        raise Disagreement(i.callee, *said)
    name, numbers = new
    operands = i.operands[: len(i.operands) - len(numbers_after(i))]
    return name, *spell_call(name, i, operands, numbers)


def numbers_after(i: Instr) -> tuple[int | None, ...]:
    """Return the trailing constants of a call, None for one that is no number."""
    operands = shapes_of(i.callee)[1][1:]
    return tuple(as_signed(number(o)) for o in i.operands[len(operands) :])


def _call(i: Instr, said: str, dictionary: Dictionary) -> tuple[str, tuple[int, ...]] | None:
    """Return name and trailing constants of the call here that an instruction is by its comment."""
    word, shapes = shapes_of(i.callee)
    spelled = formula_class(word, said)
    numbers = tuple(n for n in numbers_after(i) if n is not None)
    if spelled is None or len(shapes) != 1 + len(spelled.letters):
        return None
    if len(numbers) != len(numbers_after(i)) or len(numbers) != len(numbers_of(spelled)):
        return None
    called = Called(spelled, shapes[0], tuple(shapes[1:]))
    try:
        lanes = lanes_of(called, numbers)
    except _WRONG:
        return None
    own = read_name(i.callee, dictionary)
    for c in [own.of] if own is not None else _alike(spelled, lanes, dictionary):
        same = own is not None and numbers_of(c) == numbers_of(spelled)
        among = [numbers] if same else _every(c, environment(spelled, numbers))
        found = _numbers(replace(called, of=c), lanes, among, own is not None)
        if found is not None:
            return call_name(c, shapes[0], shapes[1:]), found
    return None


def _alike(
    spelled: EquivClass, lanes: Sequence[Expr], dictionary: Dictionary
) -> Iterator[EquivClass]:
    """Yield the classes of the operation that lanes have, of as many operands."""
    skeleton, terms = Skeletons(), NormalLanes(spelled.letters)(lanes)
    keys = dict.fromkeys(skeleton(e).key for e in terms if not e.is_const or e.value)
    operation = operation_of(list(keys))
    for c in dictionary.classes:
        if c.operation == operation and not c.reason and len(c.letters) == len(spelled.letters):
            yield c


def _every(c: EquivClass, given: Mapping[str, int]) -> Iterator[tuple[int, ...]]:
    """Yield the trailing constants of a class's members, at immediates as they are given."""
    names = numbers_of(c)
    immediates = {n: given[n] for n in names if n not in c.parameters and n in given}
    free = [n for n in names if n not in c.parameters and n not in immediates]
    members = dict.fromkeys(m.values[: len(c.parameters)] for m in c.members)
    settings = islice(product(range(256), repeat=len(free)), LOWER_SETTINGS)
    for values, more in product(members, settings):
        known = {**immediates, **dict(zip((*c.parameters, *free), (*values, *more), strict=True))}
        yield tuple(known[n] for n in names)


def _numbers(
    called: Called, lanes: Sequence[Expr], among: Iterable[tuple[int, ...]], proving: bool
) -> tuple[int, ...] | None:
    """Return constants among some at which a class has the lanes: by normal forms, or a proof."""
    normal = NormalLanes(called.of.letters)
    wanted = normal(lanes)
    for numbers in among:
        try:
            found = normal(lanes_of(called, numbers))
        except _WRONG:
            continue
        if _equal(wanted, found, proving):
            return numbers
    return None


def _equal(first: Sequence[Expr], second: Sequence[Expr], proving: bool) -> bool:
    if [e.width for e in first] != [e.width for e in second]:
        return False
    pairs = {(x, y) for x, y in zip(first, second, strict=True) if x is not y}
    if not pairs or not proving:
        return not pairs
    asked = [Obligation(const(1, 1), x, y) for x, y in sorted(pairs, key=repr)]
    return isinstance(prove(asked, steps=steps_of), Proved)
