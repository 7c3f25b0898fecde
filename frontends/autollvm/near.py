"""What is closest to a call that a machine has no code for: a class there, and the first lane of it
that is another one.
"""

from __future__ import annotations

from difflib import get_close_matches
from itertools import islice

from equiv_classes.dictionary import Dictionary, EquivClass
from equiv_classes.formula import terms_of
from equiv_classes.lanes import NormalLanes
from frontends.autollvm.read import Call
from isel.ir.ops import WidthError
from isel.model.machine import Machine


def nearest(call: Call, machine: Machine, dictionary: Dictionary) -> str:
    """Return in words which class of a machine is named most like a call's, and where it differs;
    empty where there is none.
    """
    target = machine.target.name
    count = len(call.found.of.letters)
    alike = (c for c in dictionary.classes if not c.reason and len(c.letters) == count)
    plain = (target, "none")
    mine = [c for c in alike if any((m.target, m.mode) == plain for m in c.members)]
    same = [c for c in mine if c.operation == call.found.of.operation]
    names = [c.name for c in same or mine]
    found = get_close_matches(call.found.of.name, names, 1, 0)
    if not found:
        return ""
    c = next(c for c in mine if c.name == found[0])
    return f"the closest there is '{c.name}'{_differs(call, c, target)}"


def _differs(call: Call, c: EquivClass, target: str) -> str:
    normal = NormalLanes(c.letters)
    wanted = normal(call.lanes)
    members = (m for m in c.members if m.target == target and m.mode == "none")
    for m in islice(members, 1):
        env = {**c.environment(m), "m0": 0}
        try:
            lanes = terms_of(c.formula, env, {x: x for x in c.letters}, "none")
        except (ValueError, ArithmeticError, LookupError, WidthError):
            return ""
        given = normal(lanes)
        pairs = zip(wanted, given, strict=False)
        lane = next((k for k, (x, y) in enumerate(pairs) if x is not y), None)
        if lane is not None:
            return f", whose lane {lane} differs"
        return f", which has {len(given)} lanes, not {len(wanted)}"
    return ""
