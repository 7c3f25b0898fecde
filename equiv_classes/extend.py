"""Extending a form to settings of the immediates where its lanes only look different.

A shift by nothing is a move, one by more than the width is 0, and a byte shift by a whole register
has no lanes left: these are values of the formula that fits the other settings, so they are no
formulas of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from equiv_classes.dictionary import EquivClass
from equiv_classes.form import Form, forms
from equiv_classes.formula import terms_of
from equiv_classes.lanes import Reader, unpacked
from equiv_classes.names import Namer
from equiv_classes.similarity import Sample, classes
from isel.errors import IselError
from isel.ir.ops import WidthError
from isel.spec.instruction import Instruction

_MANY: Final = 64
_SMALL: Final = 20
_EVERY: Final = 11


def extended_forms(instruction: Instruction) -> tuple[tuple[Form, bool], ...]:
    """Return the forms of an instruction, each with whether it is for every setting of the
    immediates.

    Where settings are many, a few come first: what has no formula at these has none, and one
    formula that fits them is taken for all, which the proof of the member then shows, or not.
    """
    reader = Reader(instruction)
    if len(reader.settings) > _MANY:
        last = reader.settings[-1]
        some = (s for s in reader.settings if s == last or all(map(_telling, s)))
        few = Reader(instruction, tuple(some))
        found = _extended(few)
        if len(found) == 1 and len(found[0].settings) == len(few.settings):
            return ((replace(found[0], settings=reader.settings), True),)
    return tuple((f, len(f.settings) == len(reader.settings)) for f in _extended(reader))


def _telling(value: int) -> bool:
    """Tell whether a value is small, has one bit, lacks one of its low bits, or is one of a few
    others.
    """
    near_a_power = 0 in (value & (value - 1), value & (value + 1))
    return near_a_power or value < _SMALL or value % _EVERY == 0


def _extended(reader: Reader) -> tuple[Form, ...]:
    """Return the forms; those that follow an immediate take the settings that their formula
    gives as well.
    """
    left = sorted(forms(reader), key=lambda f: (not f.driven, -len(f.settings)))
    covered = {s for f in left for s in f.settings}
    spare = [s for s in reader.settings if s not in covered]  # every lane is 0
    kept: list[Form] = []
    while left:
        first, *left = left
        if (left or spare) and (first.driven or not kept):
            (single,) = classes([[Sample("", reader.instruction.name, first, False)]], Namer())
            taken = [s for s in spare if _gives(single, reader, s)]
            absorbed = [f for f in left if all(_gives(single, reader, s) for s in f.settings)]
            left = [f for f in left if f not in absorbed]
            spare = [s for s in spare if s not in set(taken)]
            settings = (*first.settings, *taken, *(s for f in absorbed for s in f.settings))
            first = replace(first, settings=tuple(sorted(settings)))
        kept.append(first)
    return tuple(kept)


def _gives(c: EquivClass, reader: Reader, setting: Sequence[int]) -> bool:
    """Tell whether a class of one member has the instruction's lanes at a setting, in normal
    form.
    """
    (member,) = c.members
    env = {**c.environment(member), **{f"m{k}": v for k, v in enumerate(setting)}}
    try:
        given = [reader.normal(e) for e in terms_of(c.formula, env, member.operands, member.mode)]
        return given == unpacked(reader.terms(setting))
    except (IselError, WidthError, ArithmeticError, LookupError, ValueError):
        return False
