"""What became of a window in words: who does what to whom, and at which price."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from frontends.llvm.limits import WORDS_KINDS, WORDS_LOOP
from frontends.llvm.report.tried import FunctionReport, ModuleReport, Outcome, WindowReport

_DIGITS: Final = (1, 2, 3, 4)  # behind the point of a cost; no gain shows in later ones only


def count_up(instructions: Iterable[tuple[str, str]]) -> str:
    """Name instructions, given by mnemonic and register: ``2 x vpsubusb (zmm)``, the registers
    once where they are all the same.
    """
    counts: dict[tuple[str, str], int] = {}
    for i in instructions:
        counts[i] = counts.get(i, 0) + 1
    registers = {register for _, register in counts}
    shared = registers.pop() if len(registers) == 1 else ""
    named = [
        (f"{n} x " if n > 1 else "") + mnemonic + ("" if shared else f" ({register})")
        for (mnemonic, register), n in counts.items()
    ]
    most = len(named) if len(named) <= WORDS_KINDS else WORDS_KINDS - 1
    rest = sum(list(counts.values())[most:])
    return " + ".join([*named[:most], *([f"{rest} more"] if rest else [])]) + (
        f" ({shared})" if shared else ""
    )


def cycles(before: float, after: float) -> str:
    """Return two costs with as many digits as it takes to tell them apart; the first is 0 where
    the code is wrong.
    """
    if not before:
        return f"{after:.1f} cycles where LLVM's code is wrong"
    digits = next((n for n in _DIGITS if round(before, n) != round(after, n)), 2)
    return f"{before:.{digits}f} -> {after:.{digits}f} cycles"


def plural(count: int, what: str) -> str:
    """Return a number of things."""
    return f"{count} {what}" + ("" if count == 1 else "s")


def became(w: WindowReport) -> str:
    """Say in one line what became of a window."""
    if w.outcome is not Outcome.REWRITTEN:
        return f"{'kept' if w.outcome is Outcome.KEPT else 'left alone'}: {why_kept(w)}"
    parts = [f"{plural(w.operations, 'operation')} -> {w.chosen or 'moves'}"]
    if w.cost_before is not None and w.cost_after is not None:
        beside = f" with {plural(w.beside, 'other')}" if w.beside else ""
        parts.append(cycles(w.cost_before, w.cost_after) + beside)
    return ", ".join([*parts, "proved for all inputs"]) + (f" ({w.reason})" if w.reason else "")


def why_kept(w: WindowReport) -> str:
    """Say why a window is what it was: what LLVM makes of it, or the cheapest program that was
    found, and what stopped the search.
    """
    if w.outcome is Outcome.FAILED:
        return w.reason
    if w.selected and w.selected == w.chosen:
        return f"LLVM selects {w.selected} already"
    if w.chosen:
        said = f"the cheapest program found, {w.chosen}, was not taken: {w.reason}"
        if w.cost_before is None or w.cost_after is None:
            return said
        return f"{said} ({cycles(w.cost_before, w.cost_after)})"
    if not w.selected or w.attempts or not w.steps:
        return w.reason
    single = " + " not in w.selected and "(" in w.selected
    return f"LLVM selects {w.selected}{' already' if single else ''}; {w.reason}"


def hottest(report: ModuleReport) -> list[tuple[FunctionReport, tuple[WindowReport, ...]]]:
    """Return the functions with their windows, those that save most first."""
    found = ((f, report.of(f.name)) for f in report.functions)
    return sorted(found, key=lambda x: (-heat(*x), -len(x[1])))


def heat(f: FunctionReport, windows: Sequence[WindowReport]) -> float:
    """Return the cycles that a function saves, times ten for each loop around its deepest
    rewritten window.
    """
    depth = max((w.depth for w in windows if w.outcome is Outcome.REWRITTEN), default=0)
    return 0.0 if f.cost is None or not f.cost[0] else (f.cost[0] - f.cost[1]) * WORDS_LOOP**depth


def sentence(f: FunctionReport, windows: Sequence[WindowReport]) -> str:
    """Say in one line what became of a function."""
    done = sum(w.outcome is Outcome.REWRITTEN for w in windows)
    saved = "" if f.cost is None else f"{cycles(*f.cost)}, "
    return f"@{f.name}: {saved}{done} of {plural(len(windows), 'window')} rewritten"
