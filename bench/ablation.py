"""``make ablation``: what each heuristic of CEGIS is worth, as in HYDRIDE's Table 5 (ASPLOS'24),
x86 column.

One dot product, one lane of it, all instructions of the CPU as components; each row adds or swaps a
heuristic and runs in a process of its own, which is stopped after ``--limit`` seconds.  Writes
``ablation.md`` and ``ablation.svg``.
"""

from __future__ import annotations

import argparse
import io
import multiprocessing
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from isel.ir.build import add, mul, sext
from isel.ir.canon import canonical
from isel.ir.expr import Expr, const, var
from isel.model.answer import GrammarOptions
from isel.model.machine import Machine
from isel.synth.cegis.run import run_task
from isel.synth.cegis.screen import grammars_for
from isel.synth.cegis.types import Found, Grammar, Task
from isel.synth.instructions.library import library_of
from semantics import target_named

_LANES: Final = 16  # of 32 bits in a register
_ALL: Final = 1 << 20
_ENDLESS: Final = 1 << 40
_CPUS: Final = ("sapphirerapids", "skylake-avx512")


@dataclass(frozen=True, slots=True)
class Row:
    """One setting, and the seconds that HYDRIDE's Table 5 has for it."""

    name: str
    published: str
    options: GrammarOptions


def _options(
    *,
    screening: bool,
    scoring: bool = False,
    most: int = _ALL,
    lanes: int = _LANES,
    scaled: bool = False,
) -> GrammarOptions:
    return GrammarOptions(
        operators=screening,
        widths=screening,
        lengths=screening,
        screened=not scoring,
        scored=scoring,
        narrow=False,
        widening=False,
        literals=False,
        scaled=scaled,
        lanes=lanes,
        most=most,
    )


ROWS: Final = (
    Row("all instructions", "intractable", _options(screening=False)),
    Row("the 50 best by score", "> 14400", _options(screening=False, most=50)),
    Row("bit-vector screening", "236", _options(screening=True)),
    Row("screening, lane-wise", "118", _options(screening=True, lanes=1)),
    Row("screening, scaling", "142", _options(screening=True, scaled=True)),
    Row("screening, lane-wise, scaling", "115", _options(screening=True, lanes=1, scaled=True)),
    Row(
        "these and score-based selection",
        "86",
        _options(screening=True, scoring=True, lanes=1, scaled=True),
    ),
    Row(
        "screening, lane-wise, score-based selection",
        "-",
        _options(screening=True, scoring=True, lanes=1),
    ),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """What a row found: seconds, or None where it was stopped."""

    components: int
    seconds: float | None
    found: str


def dot_product() -> Expr:
    """Return a lane of a dot product: two products of signed 16-bit elements, added to 32 bits."""
    acc, *parts = (var("acc", 32), *(sext(var(n, 16), 32) for n in ("a0", "b0", "a1", "b1")))
    return canonical(add(acc, add(mul(parts[0], parts[1]), mul(parts[2], parts[3]))))[0]


def grammar_of(row: Row, cpu: str) -> Grammar:
    """Return the one grammar of a row."""
    target = target_named("x86")
    features = target.features(cpu, "")
    library = library_of(Machine(target, cpu, features, target.vector_bits(features, {})))
    lane = dot_product()
    (grammar,) = grammars_for(lane, library.catalogue.components(lane), row.options)
    return grammar


def _search(row: Row, grammar: Grammar, sender: Connection) -> None:
    lane = dot_product()
    first = time.perf_counter()
    outcome = run_task(
        Task(lane, const(1, 1), grammar, _ENDLESS, row.options.scaled, row.options.lanes)
    )
    seconds = time.perf_counter() - first
    sender.send(
        (
            seconds,
            ", ".join(name for name, _ in outcome.steps)
            if isinstance(outcome, Found)
            else "nothing",
        )
    )


def measure(row: Row, cpu: str, limit: float) -> Measured:
    """Run one row in a process of its own for at most ``limit`` seconds."""
    grammar = grammar_of(row, cpu)
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=_search, args=(row, grammar, sender))
    process.start()
    sender.close()
    try:
        seconds, found = receiver.recv() if receiver.poll(limit) else (None, "")
    except EOFError:
        seconds, found = None, "stopped"
    process.kill()
    process.join()
    return Measured(len(grammar.components), seconds, found)


def _cell(m: Measured, limit: float) -> str:
    return f"> {limit:g}" if m.seconds is None else f"{m.seconds:.2f}"


def table(results: Sequence[tuple[Row, Sequence[Measured]]], limit: float) -> str:
    """Return the rows as a table in Markdown, HYDRIDE's seconds beside ours."""
    heads = [f"{c}: {what}" for c in _CPUS for what in ("components", "seconds", "found")]
    lines = [["components of one lane", "HYDRIDE, s", *heads]]
    lines.append(["---"] * len(lines[0]))
    lines += [
        [
            row.name,
            row.published,
            *(x for m in found for x in (str(m.components), _cell(m, limit), m.found)),
        ]
        for row, found in results
    ]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def plot(results: Sequence[tuple[Row, Sequence[Measured]]], limit: float) -> str:
    """Return a bar chart of seconds on a logarithmic scale as SVG; a row that was stopped
    reaches the limit.
    """
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "isel"
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for k, cpu in enumerate(_CPUS):
        seconds = [s if (s := found[k].seconds) is not None else limit for _, found in results]
        axes.barh([i + 0.4 * k for i in range(len(results))], seconds, height=0.38, label=cpu)
    numbers = [float(row.published) if row.published.isdigit() else None for row, _ in results]
    axes.plot(
        [n for n in numbers if n],
        [i + 0.2 for i, n in enumerate(numbers) if n],
        "kd",
        label="HYDRIDE, its machine",
    )
    axes.set_yticks([i + 0.2 for i in range(len(results))], [row.name for row, _ in results])
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.set_xlabel("seconds")
    axes.legend()
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return out.getvalue()


def main(argv: Sequence[str] | None = None) -> int:
    """Measure every row and write the table and the plot."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.ablation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--limit", type=float, default=60, help="seconds after which a row is stopped (default 60)"
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("bench/out"),
        help="folder of the table and the plot (default bench/out)",
    )
    args = parser.parse_args(argv)
    results = []
    for row in ROWS:
        measured = [measure(row, cpu, args.limit) for cpu in _CPUS]
        results.append((row, measured))
        cells = (
            f"{cpu} {_cell(m, args.limit)} s, {m.components} components"
            for cpu, m in zip(_CPUS, measured, strict=True)
        )
        print(f"{row.name}: {'; '.join(cells)}")
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "ablation.md").write_text(table(results, args.limit), encoding="utf-8")
    (args.out / "ablation.svg").write_text(plot(results, args.limit), encoding="utf-8")
    print(f"wrote {args.out / 'ablation.md'} and {args.out / 'ablation.svg'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
