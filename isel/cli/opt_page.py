"""``isel opt --html``: the result first, then each rewritten window as formula, lanes, assembly
and IR, folded; then what was kept and why.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from frontends.llvm.machine.alone import name_of
from frontends.llvm.pipeline.options import Options
from frontends.llvm.report.detail import Detail
from frontends.llvm.report.phrases import became, cycles, hottest, plural, sentence
from frontends.llvm.report.tried import FunctionReport, ModuleReport, Outcome, WindowReport
from frontends.llvm.text.masks import readable
from frontends.llvm.text.parse import parse_module
from isel.cli.limits import OPT_PAGE_PLOTTED
from isel.cli.user_names import in_users_words, say, user_names
from isel.cost.block import block_cost
from isel.cost.code import Block
from isel.cost.ports import busiest
from isel.cost.prices import Price, Prices
from isel.errors import IselError
from isel.page import (
    Html,
    bars,
    document,
    folded,
    paragraph,
    preformatted,
    side_by_side,
    table,
    tag,
    text,
    wires,
)
from semantics.assembly import instructions_of
from semantics.pricing import Pricing, pricing

Names: TypeAlias = Mapping[str, Mapping[str, str]]
_ATTACHED: Final = re.compile(r", !\w+ !\d+")  # metadata
_PORT: Final = re.compile(r"(?:.*Port0*(?=\d)|[A-Z]\w*?(?=(?:AGU|ALU|BRU|FP|LSU|Load|Store)))")


def opt_page(
    report: ModuleReport, options: Options, worker: LlvmWorker, names: Names | None = None
) -> str:
    """Return the page; ``worker`` compiles both codes of each window for the assembly, ``names``
    are the user's by function and value.
    """
    return document(f"isel: {report.file}", opt_parts(report, options, worker, names or {}))


def opt_parts(
    report: ModuleReport, options: Options, worker: LlvmWorker, names: Names
) -> list[Html]:
    """Return the parts of the page."""
    shown = hottest(report)
    parts = list(_head(report, shown))
    for f, windows in shown:
        done = [w for w in windows if w.outcome is Outcome.REWRITTEN]
        if done:
            parts.append(tag("h2", text(sentence(f, windows))))
            for w in done:
                parts.extend(_window(w, options, worker, names.get(f.name, {})))
    return [*parts, *_keep(report), *_leave_out(report)]


def _leave_out(report: ModuleReport) -> Iterator[Html]:
    left = [(str(count), reason) for reason, count in report.left_out().items()]
    skipped = [("", f"function @{f.name}: {f.skipped}") for f in report.functions if f.skipped]
    if left or skipped:
        rows = table(("", ""), [*left, *skipped], numbers=(0,))
        yield folded("Instructions in no window, and why", rows)


def names_in(text: str) -> Names:
    """Return the user's names of a module's values, by function."""
    module = parse_module(text)
    found = {f.name: user_names(module, f) for f in module.functions}
    return {name: known for name, known in found.items() if known}


def _head(
    report: ModuleReport, shown: Sequence[tuple[FunctionReport, Sequence[WindowReport]]]
) -> Iterator[Html]:
    done, every = len(report.rewritten), plural(len(report.windows), "window")
    said = f"{done} of {every} rewritten, all proved" if done else "Nothing rewritten"
    yield tag("h1", text(said))
    total = sum(f.instructions for f in report.functions)
    inside = sum(f.in_windows for f in report.functions)
    counts = f"{inside} of {plural(total, 'instruction')} in windows of vector code"
    yield paragraph(f"{report.file}: {counts}", "soft")
    if report.timed_out:
        names = ", ".join(f"@{name}" for name in report.late)
        left = f" Left out, or in part: {names}." if names else ""
        yield paragraph(f"The time limit was reached: more may be found without it.{left}", "bad")
    yield from _costs([(f, f.cost, windows) for f, windows in shown if f.cost is not None])


def _costs(
    costs: Sequence[tuple[FunctionReport, tuple[float, float], Sequence[WindowReport]]],
) -> Iterator[Html]:
    if not costs:
        return
    faster = [(f, before / after) for f, (before, after), _ in costs if before and after]
    if len(costs) > 1:
        shown = faster[:OPT_PAGE_PLOTTED]
        yield bars([f"@{f.name}" for f, _ in shown], [r for _, r in shown], " x", one=1.0)
    rows: list[tuple[str, str, str]] = []
    for f, cost, windows in costs:
        done = sum(w.outcome is Outcome.REWRITTEN for w in windows)
        rows.append((f"@{f.name}", cycles(*cost).removesuffix(" cycles"), str(done)))
    yield table(("function, hottest first", "cycles a pass", "rewritten"), rows, numbers=(1, 2))
    yield paragraph(
        "Cycles are those of one pass through the innermost loops of a function, and a tenth of "
        "what is around a loop, by the table model of its CPU. The model is no measurement.",
        "soft",
    )


def _window(
    w: WindowReport, options: Options, worker: LlvmWorker, names: Mapping[str, str]
) -> Iterator[Html]:
    yield tag("h3", text(w.place.where or str(w.place)))
    yield paragraph(became(w))
    given = (f"given {fact}" for fact in w.facts)
    yield paragraph("; ".join((w.proof, w.claim or "best found", *given)), "soft")
    d = w.detail
    if d is not None:
        texts = [*(text for text, _ in d.sources), d.result]
        said = say(texts, names)
        *sources, result = said
        if d.term:
            lines = in_users_words(d.term, dict(zip(texts, said, strict=True)))
            yield folded("The term of a lane", preformatted(lines))
        rows = list(zip(sources, (n for _, n in d.sources), strict=True))
        yield folded("Lanes: what each result lane reads", wires(rows, d.reads, result))
        codes = _assembly(d, options, worker)
        if codes is not None:
            yield folded("Assembly of the window by itself, before and after", codes)
    yield folded("LLVM IR", side_by_side(("before", _code(w.before)), ("after", _code(w.after))))


def _code(lines: Sequence[str]) -> Html:
    return preformatted([readable(_ATTACHED.sub("", line.strip())) for line in lines])


def _assembly(d: Detail, options: Options, worker: LlvmWorker) -> Html | None:
    """Return both codes side by side, None where LLVM does not compile one of them."""
    prices = pricing(d.target, d.cpu)
    sides: list[tuple[str, Html]] = []
    for title, module in (("before", d.before), ("after", d.after)):
        try:
            made = worker.assembly(
                module, triple=options.triple, cpu=options.cpu, features=options.features
            )
        except IselError:
            return None
        if isinstance(made, WorkerFailed):
            return None
        sides.append(_listing(title, instructions_of(made, name_of(0), prices.dialect), prices))
    what = f"Ports and cycles are those of the table of {prices.prices.cpu}"
    note = paragraph(f"{what}; marked rows have work that only the busy ports do.", "soft")
    return Html(side_by_side(*sides) + note)


def _usages(price: Price, prices: Prices) -> str:
    return " ".join(
        _ports(u.ports, prices) + (f"*{u.cycles:g}" if u.cycles != 1 else "") for u in price.usages
    )


def _listing(title: str, lines: Sequence[str], priced: Pricing) -> tuple[str, Html]:
    prices = priced.prices
    read = [(line, priced.dialect.read(line)) for line in lines]
    kept = [(line, x.operation) for line, x in read if not x.returns]
    cost = block_cost(Block("", tuple(o for _, o in kept)), prices)
    found = [prices.of(o.form) for _, o in kept]
    usages = [() if p is None else p.usages for p in found]
    hot = busiest(u for us in usages for u in us)
    marked = [k for k, us in enumerate(usages) if any(u.ports and not u.ports & ~hot for u in us)]
    rows = [
        (line, _usages(p, prices) if p else "?") for (line, _), p in zip(kept, found, strict=True)
    ]
    bound = "ports" if cost.ports >= cost.dispatch else "dispatch"
    said = f"{title}: {plural(len(kept), 'instruction')}, {cost.cycles:.2f} cycles by {bound}" + (
        f"; busy: {_ports(hot, prices)}" if hot and bound == "ports" else ""
    )
    return said, table(("", "ports"), rows, marked=marked if bound == "ports" else (), code=(0, 1))


def _ports(mask: int, prices: Prices) -> str:
    """Name ports briefly: numbers where the CPU's have some."""
    names = [_PORT.sub("", name) for k, name in enumerate(prices.ports) if mask >> k & 1]
    if not all(n.isdigit() for n in names):
        return " ".join(names)
    return ("p" if names else "") + ("" if all(len(n) == 1 for n in names) else ",").join(names)


def _keep(report: ModuleReport) -> Iterator[Html]:
    kept = [w for w in report.windows if w.outcome is not Outcome.REWRITTEN]
    if kept:
        yield tag("h2", text(f"{plural(len(kept), 'window')} kept"))
        for w in kept:
            yield folded(f"{w.place.where or w.place}: {became(w)}", _code(w.before))
