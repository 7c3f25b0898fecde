"""The report: each function by the model and by the clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Final

_NOISE: Final = 0.02  # of a ratio: what less than this is slower is not slower
_WANTED: Final = 0.97  # of the functions whose times differ by more than noise


@dataclass(frozen=True, slots=True)
class Row:
    """A function that isel changed: cycles by the model, and how many times faster it and a copy
    of the code before were.
    """

    function: str
    before: float
    after: float
    ratio: float
    control: float

    @staticmethod
    def read(line: str) -> Row:
        """Return the row of a line of a table."""
        name, *figures = line.split("\t")
        before, after, ratio, control = map(float, figures)
        return Row(name, before, after, ratio, control)

    @property
    def differs(self) -> bool:
        """Tell whether the change is more than noise."""
        return abs(self.ratio - 1) > _NOISE

    @property
    def right(self) -> bool:
        """Tell whether the sign is the model's; where a copy was slower too, the machine was."""
        least = (1 - _NOISE) * min(1.0, self.control)
        return (self.ratio >= least) == (self.after <= self.before)


def report(rows: Sequence[Row], cpu: str, command: str, failed: Sequence[str]) -> str:
    """Return the report as text."""
    right = sum(r.right for r in rows)
    apart = [r.right for r in rows if r.differs]
    controls = [r.control for r in rows] or [1.0]
    clock = _mean([r.ratio for r in rows])
    model = _mean([r.before / r.after for r in rows if r.after])
    lines = [
        "# The model's sign",
        "",
        f"Functions that isel changed, by the gate's model and by the clock, on `{cpu}`; made by",
        f"`{command}`. What is compiled for another CPU, named in front, has the prices of that.",
        "A ratio is before by after, the middle of two runs that agree, each the median over four",
        "places of ratios of least times; the control is a copy of before. A sign is wrong where",
        f"the model says faster and a ratio is below {1 - _NOISE:g} (of the control, where that",
        "is below 1).",
        "",
        f"**{right} of {len(rows)} signs are right** ({right / max(len(rows), 1):.0%}), of the",
        f"functions whose times differ by over {_NOISE:.0%} {sum(apart)} of {len(apart)}",
        f"({sum(apart) / max(len(apart), 1):.0%}; asked {_WANTED:.0%}); geometric mean",
        f"{clock:.2f} by the clock, {model:.2f} by the model;",
        f"control {min(controls):.3f} to {max(controls):.3f}.",
        "",
        "| function | model: cycles before | after | times | clock: times | control | sign |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    lines += map(_line, sorted(rows, key=lambda r: (r.ratio, r.function)))
    lines += ["", *(f"Not timed: {why}." for why in failed)] if failed else []
    return "\n".join(lines) + "\n"


def _line(r: Row) -> str:
    times = r.before / r.after if r.after else 0.0
    return (
        f"| {r.function} | {r.before:.4g} | {r.after:.4g} | {times:.2f} | {r.ratio:.2f} "
        f"| {r.control:.3f} | {'' if r.right else 'wrong'} |"
    )


def _mean(ratios: Sequence[float]) -> float:
    return exp(sum(map(log, ratios)) / len(ratios)) if ratios else 1.0
