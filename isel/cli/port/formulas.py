"""A file's functions on another machine by the formulas of the intrinsics that they call."""

from __future__ import annotations

from equiv_classes.dictionary import dictionary
from frontends.autollvm.comments import without_comments
from frontends.autollvm.functions import Left
from frontends.autollvm.module import Aim, lower_module
from frontends.autollvm.write import write_autollvm
from isel.cli.port.compile import Port
from isel.model.machine import Machine
from semantics import target_named


def by_formulas(first: str, port: Port) -> tuple[str, dict[str, Left]]:
    """Return the module of the machine that the file is written for with its intrinsics as members
    of their classes on the other one, else as plain IR, and, by function, the first call that has
    become neither.
    """
    source, target = target_named(port.source), target_named(port.target)
    known = target.features(port.cpu, port.features)
    machine = Machine(target, port.cpu, known, target.vector_bits(known, {}))
    written = without_comments(write_autollvm(first, source, dictionary()).text)
    aim = Aim(port.triple, port.cpu, port.features)
    told = (written, aim, machine, dictionary(), None)
    found = lower_module(*told, plain=True, source=source, proving=False)
    return found.text, {x.function: x for x in reversed(found.left)}
