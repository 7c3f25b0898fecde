"""A module's functions on another machine by the formulas of the intrinsics that they call."""

from __future__ import annotations

from equiv_classes.dictionary import dictionary
from frontends.autollvm.comments import without_comments
from frontends.autollvm.functions import Left
from frontends.autollvm.lower import Lowering
from frontends.autollvm.module import Aim, lower_only
from frontends.autollvm.write import write_autollvm
from frontends.llvm.linked import binding
from frontends.llvm.text.parse import parse_module
from isel.model.machine import Machine
from isel.spec.target import Target


def by_formulas(text: str, source: Target, target: Target, aim: Aim) -> tuple[str, dict[str, Left]]:
    """Return the module with the intrinsics of ``source`` as members of their classes on the other
    machine, else as plain IR, and, by function, the first call that has become neither.  Nothing of
    it is proved.
    """
    known = target.features(aim.cpu, aim.features)
    machine = Machine(target, aim.cpu, known, target.vector_bits(known, {}))
    written = without_comments(write_autollvm(text, source, dictionary()).text)
    before = parse_module(binding.normalise(written))
    found = lower_only(before, aim, Lowering(machine, dictionary(), None, plain=True), source)
    return found.text, {x.function: x for x in reversed(found.left)}
