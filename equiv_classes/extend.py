"""Extending a form to settings of the immediates where its lanes only look different.

A shift by nothing is a move, one by more than the width is 0, and a byte shift by a whole register has no lanes left:
these are values of the formula that fits the other settings, so they are no formulas of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from equiv_classes.dictionary import EquivClass
from equiv_classes.form import Form, forms
from equiv_classes.lanes import Reader, unpacked
from equiv_classes.names import Namer
from equiv_classes.similarity import Sample, classes
from isel.errors import IselError
from isel.ir.ops import WidthError


def extended_forms(reader: Reader) -> tuple[Form, ...]:
    """Return the forms of an instruction; those that follow an immediate take the settings that their formula gives as well."""
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
    """Tell whether a class of one member has the instruction's lanes at a setting, in normal form."""
    (member,) = c.members
    env = {**c.environment(member), **{f"m{k}": v for k, v in enumerate(setting)}}
    try:
        given = [reader.normal(e) for e in c.formula.instantiate(env, member.operands, member.mode)]
        return given == unpacked(reader.terms(setting))
    except (IselError, WidthError, ArithmeticError, LookupError, ValueError):
        return False
