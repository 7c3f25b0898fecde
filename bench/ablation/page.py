"""``docs/ablation.md``: what was measured, as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from bench.ablation.forks import Timed
from bench.ablation.grammars import SETTINGS, WIDTH, Answer, Search
from bench.ablation.worth import Change, Worth
from isel.workers import Failed

FEW: Final = 3  # cases; a name that changes fewer has its reason
_HEAD: Final = """# What each mechanism is worth

<!-- written by make ablation, the same in every run; CPU time is printed only -->

`isel passes` lists the mechanisms by name, and `isel opt --disable=NAME` does without one.
`make ablation` rewrites {cases} modules for two targets without a cache, with all mechanisms and
without each; costs are the model's cycles of a function. The modules: {kinds}.
"""
_NAMES: Final = """
## Names

A name is tried where it can matter: a transform where it rewrote something; a part of the search
where a module got cheaper ({better} of them) and the search without its whole family, all edges or
CEGIS, leaves it dearer; equality saturation is a family of its own. So a name that another makes up
for is worth little here. Steps are those of the searches of the cases tried, without the name, as a
share of those with it.

"""
_FEW: Final = """
## Names that change fewer than three cases

"""
_GRAMMARS: Final = """
## CEGIS: HYDRIDE's Table 5

Ten terms of {width}-bit elements, for the usual CPU of each target: one lane is searched, with all
of its instructions as components, for at most {limit} steps, calls of the solver's terminator. A
setting that is not lane-wise constrains a register of 16 lanes by each example. The published
seconds are for one dot product on another machine.

"""


def page(
    worths: Sequence[Worth],
    kinds: Mapping[str, int],
    better: int,
    reasons: Mapping[str, str],
    searched: Sequence[tuple[Search, Timed[Answer]]],
) -> str:
    """Return the page; ``kinds`` counts the cases by kind, ``better`` those that got cheaper."""
    listed = ", ".join(f"{n} {kind}" for kind, n in kinds.items())
    limit = max((s.limit for s, _ in searched), default=0)
    parts = [
        _HEAD.format(cases=sum(kinds.values()), kinds=listed),
        _NAMES.format(better=better),
        names_table(worths),
        _FEW,
        *_few(worths, reasons),
        _GRAMMARS.format(width=WIDTH, limit=limit),
        *_table(_setting_rows(searched)),
    ]
    for target in dict.fromkeys(s.target for s, _ in searched):
        parts.append(f"\nSteps until a program was found on {target}, - where none was:\n\n")
        parts += _table(_term_rows([x for x in searched if x[0].target == target]))
    return "".join(parts)


def names_table(worths: Sequence[Worth]) -> str:
    """Return a row for each name."""
    return "".join(_table(_name_rows(worths)))


def _table(rows: Iterator[Sequence[str]]) -> Iterator[str]:
    head = next(rows)
    for row in (head, ["---"] * len(head), *rows):
        yield f"| {' | '.join(row)} |\n"


def _name_rows(worths: Sequence[Worth]) -> Iterator[Sequence[str]]:
    yield (
        "name",
        "kind",
        "tried",
        "dearer without",
        "times at most",
        "there",
        "cheaper without",
        "steps",
    )
    for w in worths:
        first = w.dearer[0] if w.dearer else None
        yield (
            f"`{w.name}`" if " " not in w.name else w.name,
            w.kind,
            str(w.tried),
            str(len(w.dearer)),
            f"{first.factor:.2f}" if first else "",
            first.case if first else "",
            str(len(w.cheaper)),
            _share(*w.steps),
        )


def seconds(worths: Sequence[Worth]) -> str:
    """Return a line a name: CPU seconds of the cases tried, with it and without it."""
    rows = ((w.name, *(f"{s:.1f} s" for s in w.seconds), _share(*w.seconds)) for w in worths)
    return "".join(f"{name:21}{full:>9}{less:>9}{share:>7}\n" for name, full, less, share in rows)


def _share(full: float, less: float) -> str:
    return f"{100 * less / full:.0f} %" if full else ""


def _few(worths: Sequence[Worth], reasons: Mapping[str, str]) -> Iterator[str]:
    found = [w for w in worths if len(w.dearer) < FEW]
    if not found:
        yield "None.\n"
    for w in found:
        cases = "; ".join(map(_said, w.dearer)) or "no case"
        yield f"- `{w.name}`: {cases}. {reasons.get(w.name, 'No reason is known.')}\n"


def _said(c: Change) -> str:
    return f"{c.case}, {c.cost:.2f} and {c.without:.2f} cycles"


def _setting_rows(
    searched: Sequence[tuple[Search, Timed[Answer]]],
) -> Iterator[Sequence[str]]:
    targets = tuple(dict.fromkeys(s.target for s, _ in searched))
    heads = (f"{t}: {what}" for t in targets for what in ("components", "found", "steps"))
    yield ("components of one lane", "HYDRIDE, s", *heads)
    for setting in SETTINGS:
        row = [setting.name, setting.published]
        for target in targets:
            found = [
                t.value
                for s, t in searched
                if s.setting == setting and s.target == target and not isinstance(t.value, Failed)
            ]
            mean = sum(a.components for a in found) / max(len(found), 1)
            solved = sum(bool(a.program) for a in found)
            row += [f"{mean:.0f}", f"{solved} of {len(found)}", str(sum(a.steps for a in found))]
        yield row


def _term_rows(searched: Sequence[tuple[Search, Timed[Answer]]]) -> Iterator[Sequence[str]]:
    yield ("term", *(s.name for s in SETTINGS), "program of the last that found one")
    for term in dict.fromkeys(s.term for s, _ in searched):
        answers = {s.setting: t.value for s, t in searched if s.term == term}
        row, program = [term.name], ""
        for setting in SETTINGS:
            answer = answers.get(setting)
            if not isinstance(answer, Answer) or not answer.program:
                row.append("-")
                continue
            row.append(str(answer.steps))
            program = ", ".join(f"`{name}`" for name in answer.program)
        yield (*row, program)
