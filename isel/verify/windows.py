"""Windows: the lanes that a program gives against those of the roots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from isel.model.program import LaneValues
from isel.model.verdict import Proved, Unknown, Verdict
from isel.model.window import TwoReads, Window
from isel.verify.prove import Checker, Obligation, conjoined, prove
from isel.verify.saturated import steps_of

TWICE: Final = "reads what may be undefined in two places"


def prove_window(
    window: Window, outputs: Sequence[LaneValues], effort: int = 1, checker: Checker | None = None
) -> Verdict:
    """Prove that ``outputs`` (a value a lane, None where undefined) refine the window's roots
    for concrete leaves.
    """
    obligations: list[Obligation] = []
    for k, (root, lanes) in enumerate(zip(window.roots, outputs, strict=True)):
        if len(lanes) != len(root.lanes):
            return Unknown(f"root {k} has {len(root.lanes)} lanes, the program gives {len(lanes)}")
        for i, (wanted, defined, given) in enumerate(
            zip(root.lanes, root.defined, lanes, strict=True)
        ):
            if wanted is None:
                continue
            if given is None:
                return Unknown(f"root {k} lane {i} is undefined in the program")
            obligations.append(Obligation(defined, wanted, given, f"root {k} lane {i}"))
    return prove_lanes(window, obligations, effort, checker)


def prove_lanes(
    window: Window,
    obligations: Sequence[Obligation],
    effort: int = 1,
    checker: Checker | None = None,
) -> Verdict:
    """Prove obligations of a window whose wanted and given lanes are over its leaves.

    What leaves have in common is one value, but for a lane that would read some of it in two
    places: that lane must be right whatever the leaves hold (REFINEMENT R6).
    """
    joint: list[Obligation] = []
    apart: list[Obligation] = []
    for o in obligations:
        try:
            joint.append(
                Obligation(
                    window.regional(o.premise),
                    window.regional(o.left),
                    window.placed(o.right),
                    o.where,
                )
            )
        except TwoReads:
            apart.append(o)
    facts = [window.regional(f) for f in window.facts]
    verdict = prove(joint, facts, effort, checker, steps=steps_of)
    if not apart or not isinstance(verdict, Proved):
        return verdict
    other = prove(apart, window.facts, effort, checker, steps=steps_of)
    if not isinstance(other, Proved):
        return Unknown(f"{apart[0].where} {TWICE}")
    return conjoined((verdict, other))
