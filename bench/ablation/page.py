"""``docs/ablation.md``: what was measured, as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from bench.ablation.forks import Timed
from bench.ablation.grammars import SETTINGS, WIDTH, Answer, Search, Setting
from bench.ablation.needed import Names
from bench.ablation.worth import Change, Worth
from isel.workers import Failed

FEW: Final = 3  # cases; a name that changes fewer, alone and with others, has its reason
_HEAD: Final = """# What each mechanism is worth

<!-- written by make ablation, the same in every run; CPU time is printed only -->

`isel passes` lists the mechanisms by name, and `isel opt --disable=NAME` does without one.
`make ablation` rewrites functions and modules for x86, Neon and HVX without a cache, with all
mechanisms and without some; costs are the model's cycles of a function. Of {cases} cases, which
are {kinds}, {better} got cheaper.

A name is tried where it can matter: a transform where it rewrote something, a part of the search
where a case got cheaper and the search asked whether the name is on: the answer cannot depend on it
elsewhere. Names are left out many at a time, then by halves; what a case is dearer without by
itself is the name's, what only several together make dearer is theirs: each makes up for the
others.

## Names

Lines are those of the modules that nothing else needs; - where it is a part of one. Steps are those
of the cases that are dearer, without the name, as a share of those with it.

"""
_TOGETHER: Final = """
## Names that make up for each other

None of these names is missed alone in the cases here.

"""
_CHEAPER: Final = """
## Cheaper without

Where less is searched, more may be found within the same steps; a case is shown without the fewest
names that were left out.

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
_HEURISTICS: Final = """
## Scaling and lane-wise examples

The same terms with the last setting of the table, all of it and without one heuristic each, for
at most {limit} steps, on HVX too and at two widths: programs found of ten, and steps.

"""


def page(
    worths: Sequence[Worth],
    kinds: Mapping[str, int],
    better: int,
    reasons: Mapping[str, str],
    lines: Mapping[str, int],
    gained: Sequence[tuple[Names, Change]],
    searched: Sequence[tuple[Search, Timed[Answer]]],
) -> str:
    """Return the page; ``kinds`` counts the cases by kind, ``better`` those that got cheaper,
    ``lines`` those that hang on a name.
    """
    listed = ", ".join(f"{n} {kind}" for kind, n in kinds.items())
    limit = max((s.limit for s, _ in searched), default=0)
    table = [x for x in searched if x[0].setting in SETTINGS]
    parts = [
        _HEAD.format(cases=sum(kinds.values()), kinds=listed, better=better),
        names_table(worths, lines),
        _TOGETHER,
        *_table(_together_rows(worths)),
        _CHEAPER,
        *_table(_cheaper_rows(gained)),
        _FEW,
        *_few(worths, reasons),
        _GRAMMARS.format(width=WIDTH, limit=limit),
        *_table(_setting_rows(table)),
    ]
    for target in dict.fromkeys(s.target for s, _ in table):
        parts.append(f"\nSteps until a program was found on {target}, - where none was:\n\n")
        parts += _table(_term_rows([x for x in table if x[0].target == target]))
    rest = [x for x in searched if x[0].setting not in SETTINGS]
    if rest:
        parts += [_HEURISTICS.format(limit=limit), *_table(_heuristic_rows(rest))]
    return "".join(parts)


def names_table(worths: Sequence[Worth], lines: Mapping[str, int]) -> str:
    """Return a row for each name."""
    return "".join(_table(_name_rows(worths, lines)))


def _table(rows: Iterator[Sequence[str]]) -> Iterator[str]:
    head = next(rows)
    for row in (head, ["---"] * len(head), *rows):
        yield f"| {' | '.join(row)} |\n"


def _name_rows(worths: Sequence[Worth], lines: Mapping[str, int]) -> Iterator[Sequence[str]]:
    yield (
        "name",
        "kind",
        "lines",
        "used",
        "dearer without",
        "with others",
        "times at most",
        "there",
        "steps",
    )
    for w in _alone(worths):
        (name,) = w.names
        yield (
            f"`{name}`",
            w.kind,
            str(lines[name]) if name in lines else "-",
            str(w.used),
            str(len(w.dearer)),
            str(_with_others(name, worths)),
            *_most(w),
            _share(*w.steps),
        )


def _alone(worths: Iterable[Worth]) -> list[Worth]:
    return [w for w in worths if w.kind]


def _with_others(name: str, worths: Iterable[Worth]) -> int:
    """Return in how many cases a name is one of several that make up for each other."""
    return len({c.case for w in worths if not w.kind and name in w.names for c in w.dearer})


def _most(w: Worth) -> tuple[str, str]:
    first = w.dearer[0] if w.dearer else None
    return (f"{first.factor:.2f}", first.case) if first else ("", "")


def _together_rows(worths: Sequence[Worth]) -> Iterator[Sequence[str]]:
    yield "names", "dearer without all of them", "times at most", "there"
    found = [w for w in worths if not w.kind]
    for w in sorted(found, key=lambda w: (-len(w.dearer), w.names)):
        yield _said(w.names), str(len(w.dearer)), *_most(w)


def _cheaper_rows(gained: Sequence[tuple[Names, Change]]) -> Iterator[Sequence[str]]:
    yield "case", "cycles", "without", "names"
    for names, c in sorted(gained, key=lambda x: (x[1].factor, x[1].case)):
        yield c.case, f"{c.cost:.2f}", f"{c.without:.2f}", _said(names)


def _said(names: Names) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _share(full: float, less: float) -> str:
    return f"{100 * less / full:.0f} %" if full else ""


def _few(worths: Sequence[Worth], reasons: Mapping[str, str]) -> Iterator[str]:
    every = ((w, _with_others(w.names[0], worths)) for w in _alone(worths))
    found = [(w, others) for w, others in every if len(w.dearer) + others < FEW]
    if not found:
        yield "None.\n"
    for w, others in found:
        cases = "; ".join(f"{c.case}, {c.cost:.2f} and {c.without:.2f} cycles" for c in w.dearer)
        cases += f"{'; ' if cases else ''}with others {others} more" if others else ""
        why = reasons.get(w.names[0], "No reason is known.")
        yield f"- `{w.names[0]}`: {cases or 'no case'}. {why}\n"


Searched = Sequence[tuple[Search, Timed[Answer]]]


def _found(searched: Searched, setting: Setting, target: str, width: int) -> list[Answer]:
    return [
        t.value
        for s, t in searched
        if (s.setting, s.target, s.width) == (setting, target, width)
        and not isinstance(t.value, Failed)
    ]


def _setting_rows(searched: Searched) -> Iterator[Sequence[str]]:
    targets = tuple(dict.fromkeys(s.target for s, _ in searched))
    heads = (f"{t}: {what}" for t in targets for what in ("components", "found", "steps"))
    yield ("components of one lane", "HYDRIDE, s", *heads)
    for setting in SETTINGS:
        row = [setting.name, setting.published]
        for target in targets:
            found = _found(searched, setting, target, WIDTH)
            mean = sum(a.components for a in found) / max(len(found), 1)
            row += [f"{mean:.0f}", _solved(found), str(sum(a.steps for a in found))]
        yield row


def _solved(found: Sequence[Answer]) -> str:
    return f"{sum(bool(a.program) for a in found)} of {len(found)}"


def _heuristic_rows(searched: Searched) -> Iterator[Sequence[str]]:
    places = tuple(dict.fromkeys((s.target, s.width) for s, _ in searched))
    heads = (f"{t}, {w} bits: {what}" for t, w in places for what in ("found", "steps"))
    yield ("setting", *heads)
    for setting in dict.fromkeys(s.setting for s, _ in searched):
        row = [setting.name]
        for target, width in places:
            found = _found(searched, setting, target, width)
            row += [_solved(found), str(sum(a.steps for a in found))]
        yield row


def _term_rows(searched: Searched) -> Iterator[Sequence[str]]:
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
