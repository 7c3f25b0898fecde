"""Target intrinsics of a module as AutoLLVM calls, by the tables: no search, no proof but those of
the dictionary's members.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from equiv_classes.calls import PREFIX, call_name, environment, member_of, numbers_for
from equiv_classes.dictionary import Dictionary, EquivClass
from equiv_classes.formula import number as formula_number
from frontends.autollvm.comments import head, with_comments
from frontends.autollvm.read import calls_in
from frontends.llvm.linked import binding
from frontends.llvm.meaning.target_calls import argument_names
from frontends.llvm.text import build
from frontends.llvm.text.ast import Instr, Literal, Module, Operand
from frontends.llvm.text.parse import parse_module
from frontends.llvm.text.syntax import integer_shape, number
from isel.spec.instruction import Instruction, Role
from isel.spec.target import Target

_UNREAD: Final = "no lanes of integers are known of it"
_PURE: Final = "nocallback nofree nosync nounwind speculatable willreturn memory(none)"
_PLAIN: Final = (Role.IN, Role.ACCUMULATOR, Role.INDEX, Role.SCALAR)


@dataclass(frozen=True, slots=True)
class Written:
    """A module's text with AutoLLVM, how many calls became some, and those that stay, by name with
    the reason.
    """

    text: str
    count: int
    left: tuple[tuple[str, str], ...]


def write_autollvm(text: str, target: Target, dictionary: Dictionary) -> Written:
    """Write a module's target intrinsics as calls of their classes."""
    module = parse_module(binding.normalise(text))
    lines = list(module.lines)
    declared: dict[str, str] = {}
    own = (i.callee for _, i in own_calls(module, target))
    left = {callee: _UNREAD for callee in own if not target.by_call(callee)}
    count = 0
    for i in calls_in(module):
        instruction = target.by_call(i.callee)
        if instruction is None or not i.known or i.callee.startswith(PREFIX):
            continue
        new = _call(i, instruction, target.name, dictionary)
        if isinstance(new, str):
            left[i.callee] = new
            continue
        name, lines[i.line], declaration = new
        declared[name] = declaration
        count += 1
    whole = "\n".join([*lines, *declared.values()]) + "\n"
    printed = binding.normalise(whole) if count else binding.normalise(text)
    out = "\n".join([head(dictionary), *with_comments(printed.splitlines(), dictionary)]) + "\n"
    return Written(out, count, tuple(sorted(left.items())))


def own_calls(module: Module, target: Target) -> Iterator[tuple[str, Instr]]:
    """Yield, with the names of their functions, the calls of a target's own intrinsics, whose names
    start as most of those do that it knows.
    """
    calls = (i.call for i in target.instructions() if i.call.startswith("llvm."))
    found = Counter(".".join([*c.split(".")[:2], ""]) for c in calls).most_common(1)
    own = tuple(prefix for prefix, _ in found)
    for f in module.functions:
        yield from ((f.name, i) for i in f.view if i.opcode == "call" and i.callee.startswith(own))


def _call(
    i: Instr, instruction: Instruction, target: str, dictionary: Dictionary
) -> tuple[str, str, str] | str:
    """Return name, line and declaration of the call that an intrinsic becomes, or why it stays."""
    names = argument_names(instruction)
    result = integer_shape(i.type)
    if names is None or len(names) != len(i.operands) or result is None:
        return "its operands are not known"
    given = dict(zip(names, i.operands, strict=True))
    setting = _setting(instruction, given)
    found = (
        member_of(target, instruction.name, setting, dictionary) if setting is not None else None
    )
    if setting is None or found is None:
        return "no class without predication has it"
    c, member = found
    operands: list[Operand] = []
    for letter in c.letters:
        name = member.operands[letter]
        o, own = given.get(f"%{name}"), instruction.operand(name)
        shape = integer_shape(o.type) if o is not None else None
        if o is None or shape is None or own.role not in _PLAIN or own.bits != shape[0] * shape[1]:
            return "an operand that is no vector of integers"
        operands.append(o)
    shapes = [s for o in operands if (s := integer_shape(o.type)) is not None]
    name = call_name(c, result, shapes)
    numbers = numbers_for(c, member, setting)
    if instruction.bits != result[0] * result[1] or instruction.bits != _bits(c, numbers):
        return "its result is wider than the class's"
    return name, *spell_call(name, i, operands, numbers)


def spell_call(
    name: str, i: Instr, operands: Sequence[Operand], numbers: Sequence[int]
) -> tuple[str, str]:
    """Return line and declaration of a call that stands for an instruction."""
    given = [*operands, *(build.constant([n], 32) for n in numbers)]
    line = build.call(name, i.type, given).line(i.name)
    return f"  {line}", build.declaration(name, i.type, given, f" {_PURE}")


def _bits(c: EquivClass, numbers: Sequence[int]) -> int:
    """Return the bits of a class's result at some parameters."""
    env = environment(c, numbers)
    return formula_number(c.formula.lanes)(env) * formula_number(c.formula.width)(env)


def _setting(instruction: Instruction, given: dict[str, Operand]) -> tuple[int, ...] | None:
    """Return the values of the immediates of a call."""
    values: list[int] = []
    for m in instruction.immediates:
        o = given.get(f"${m.name}")
        value = _constant(o) if o is not None else None
        if value is None or value not in m.values:
            return None
        values.append(value)
    return tuple(values)


def _constant(o: Operand) -> int | None:
    if isinstance(o, Literal) and len(set(o.lanes)) == 1 and isinstance(o.lanes[0], int):
        return o.lanes[0]
    return number(o)
