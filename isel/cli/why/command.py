"""``isel why-not NAME IN``: for each window, what stops an instruction.

The module is rewritten twice: as always, and on a target where the instruction costs next to
nothing, so that a program with it is found if the search can find one.  Where there is none, what
the instruction computes is held against the values of a lane.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.pipeline.aim import Aim, aim_of
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options
from frontends.llvm.report.phrases import became, cycles, plural
from frontends.llvm.report.tried import ModuleReport, Outcome, WindowReport
from frontends.llvm.text.given import lines_of
from frontends.llvm.text.parse import parse_module
from frontends.llvm.windows.places import candidates, place_at
from frontends.llvm.windows.scene import Limits, Scene, Site
from isel.api.tools import make_tools, rewrite, tools_with
from isel.cli.files import Source, read_module
from isel.cli.limits import WHY_LINES
from isel.cli.target import short_options
from isel.cli.why.cheap import cheap_targets
from isel.cli.why.fits import fit
from isel.cli.why.words import say_fit
from isel.errors import UsageProblem
from isel.json_text import print_json
from isel.spec.instruction import Instruction
from isel.spec.target import Target
from semantics import searched_for
from semantics.coverage import named

_PLACE: Final = re.compile(r"(.+):(\d+)")


@dataclass(frozen=True, slots=True)
class Case:
    """A module in which an instruction, by its name and its forms, is looked for."""

    name: str
    source: Source
    target: Target
    forms: tuple[Instruction, ...]
    options: Options

    @property
    def mnemonics(self) -> frozenset[str]:
        """What reports call the forms."""
        return frozenset(i.mnemonic for i in self.forms)


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel why-not``."""
    name, path, line = _read_names(arguments.names)
    source = read_module(path)
    options = short_options(arguments, source.text)
    target = searched_for(options.triple or parse_module(source.text).triple)
    forms = named(target, name) if name else ()
    case = Case(name, source, target, forms, options)
    with LlvmWorker() as worker, make_tools(worker, options, arguments.cache) as tools:
        report = _in_own_lines(rewrite(source.own, options, tools, source.name).report, source)
    windows = _at(report, line, path)
    cheap = _with_cheap(case) if forms else ModuleReport(source.name)
    told = [(w, [*(_why(case, w, cheap) if forms else [became(w)])]) for w in windows]
    return _tell(told, json=arguments.json)


def _tell(told: list[tuple[WindowReport, list[str]]], *, json: bool) -> int:
    """Print what there is to say of each window."""
    rows: list[dict[str, object]] = []
    for w, said in told:
        place, root, function = str(w.place.where or w.place), w.place.root, w.place.function
        rows.append({"place": place, "function": function, "root": root, "said": said})
        if not json:
            about = f"{plural(w.operations, 'operation')}, %{root} of @{function}"
            sys.stdout.write(f"{place}: {about}\n")
            sys.stdout.writelines(f"  {line}\n" for line in said)
    return print_json(rows) if json else 0


def _read_names(names: Sequence[str]) -> tuple[str, str, int]:
    """Return the instruction's name, empty for none, the file, and the line, 0 for all."""
    if len(names) > 2:
        raise UsageProblem(f"unexpected argument '{names[2]}', expected [NAME] FILE[:LINE]")
    name, path = ("", names[0]) if len(names) == 1 else names
    place = _PLACE.fullmatch(path)
    return (name, place[1], int(place[2])) if place else (name, path, 0)


def _in_own_lines(report: ModuleReport, source: Source) -> ModuleReport:
    own = {} if source.is_bitcode else lines_of(source.text, source.own)
    return report.located(own)


def _at(report: ModuleReport, line: int, path: str) -> Sequence[WindowReport]:
    """Return the windows at a line of the module or of its source; raises :class:`UsageProblem`."""
    if not report.windows:
        raise UsageProblem(f"{path} has no window: no vector code that could be rewritten")
    found = [w for w in report.windows if not line or line in _lines(w)]
    if found:
        return found
    roots = {w.place.source_line or w.place.line for w in report.windows}
    near = sorted(roots, key=lambda n: abs(n - line))
    raise UsageProblem(
        f"{path}:{line}: no window is here; the nearest are at lines "
        + ", ".join(map(str, sorted(near[:WHY_LINES])))
    )


def _lines(w: WindowReport) -> set[int]:
    """Return the lines that a window is known by: of its source, and of its root in the module,
    with the lines before it that it may begin in.
    """
    own = range(max(w.place.line - len(w.before) + 1, 1), w.place.line + 1)
    return ({*own} if w.place.line else set()) | ({w.place.source_line} - {0})


def _with_cheap(case: Case) -> ModuleReport:
    """Rewrite the module where the instruction costs next to nothing."""
    find = cheap_targets(searched_for, frozenset(i.name for i in case.forms))
    with LlvmWorker() as worker:
        tools = replace(tools_with(worker, None, case.options), target_of=find)
        source = case.source
        return rewrite_module(source.own, case.options, tools, source.name).report


def _why(case: Case, window: WindowReport, cheap: ModuleReport) -> Iterator[str]:
    """Yield what stops the instruction in a window, in lines."""
    used = _say_used(case, window)
    if used:
        yield used
        return
    site, aim = _site(case, window)
    missing = _missing(case.forms, aim)
    if missing:
        function = f"@{window.place.function}"
        yield f"missing feature: {case.name} needs {missing}; {function} is not compiled for that"
    else:
        place = (window.place.function, window.place.root)
        same = (w for w in cheap.windows if (w.place.function, w.place.root) == place)
        other = next(same, None)
        if other is not None and _uses(case, other):
            yield _cost(case.name, window, other)
            return
        if "limit" in window.reason:
            yield f"limit reached: {window.reason}; --effort raises it"
    yield from _compare(case, site, missing=bool(missing))


def _say_used(case: Case, window: WindowReport) -> str:
    """Say that a window has the instruction already, nothing where it has not."""
    if window.outcome is Outcome.REWRITTEN and _uses(case, window):
        return f"{case.name} is taken: {became(window)}"
    if case.mnemonics & _words(window.selected):
        return f"{case.name} is what LLVM selects; {became(window)}"
    return ""


def _compare(case: Case, site: Site | None, *, missing: bool) -> Iterator[str]:
    """Hold what the instruction computes against the values of a lane."""
    found = None if site is None else fit(site.window, case.forms)
    if site is None or found is None:
        yield f"another function: no value of a lane is near what a lane of {case.name} is"
    else:
        yield from say_fit(found, site, missing=missing)


def _uses(case: Case, w: WindowReport) -> bool:
    return bool(case.mnemonics & _words(w.chosen))


def _words(said: str) -> set[str]:
    return set(re.findall(r"[\w.]+", said))


def _cost(names: str, window: WindowReport, other: WindowReport) -> str:
    """Say what a program with the instruction costs, which was found where it is cheap."""
    with_it = f"a program with {names} ({other.chosen}) was found and proved"
    if other.cost_before is None or other.cost_after is None:
        return f"cost: {with_it}; {other.reason}"
    if window.outcome is Outcome.REWRITTEN and window.cost_after is not None:
        return (
            f"cost: {with_it}; its block would take {other.cost_after:.2f} cycles, with "
            f"{window.chosen} it takes {window.cost_after:.2f}"
        )
    if other.outcome is Outcome.REWRITTEN:
        saved = cycles(other.cost_before, other.cost_after)
        return f"price: {with_it}, and is faster ({saved}); by its price alone it is not looked for"
    return f"cost: {with_it}; {other.reason} ({cycles(other.cost_before, other.cost_after)})"


def _missing(forms: Sequence[Instruction], aim: Aim | None) -> str:
    """Return the features that the nearest form lacks, empty where some form lacks none."""
    if aim is None:
        return ""
    lacks = [i.features - aim.features for i in forms if i.widest <= max(aim.bits, 128)]
    if not lacks:
        return f"registers wider than {aim.bits} bits"
    fewest = min(len(f) for f in lacks)
    return ", ".join(min(sorted(f) for f in lacks if len(f) == fewest))


def _site(case: Case, w: WindowReport) -> tuple[Site | None, Aim | None]:
    """Return the largest window at a place, and what its function is compiled for."""
    module = parse_module(case.source.text)
    function = module.function(w.place.function)
    aim = aim_of(function, case.target, case.options)
    scene = Scene(module, function, case.target)
    limits = replace(Limits(), register=aim.bits) if isinstance(aim, Aim) else Limits()
    for spot in candidates(scene, limits):
        if spot.root.name == w.place.root:
            place = place_at(scene, spot, limits)
            sites = () if place is None else place.sites
            return (sites[0] if sites else None), (aim if isinstance(aim, Aim) else None)
    return None, aim if isinstance(aim, Aim) else None
