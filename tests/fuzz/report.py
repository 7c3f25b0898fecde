"""The section of ``docs/evidence.md`` about random functions, written from the state of a
campaign.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.evidence import write_section
from tests.fuzz.state import Row, total

TITLE: Final = "Random functions"
ABOUT: Final = {
    "small": "one to three idioms between loads and a store, half of them in a loop",
    "vector": "any vector IR",
    "carried": "loops whose vectors are carried from one iteration to the next and spliced, overlapping buffers among them",
    "reductions": "loops that reduce, several accumulators and scalar remainders among them",
    "composed": "nests of fixed-point operations, spelled by chance, half of them through LLVM's -O3",
    "c": "C loops over arrays, by clang -O3",
    "nests": "nested C loops: reductions with one to four results, stencils and blocks",
    "lookups": "C loops that look bytes up in tables, some of which they write",
    "tables": "vectors of bytes that a few bits of bytes decide, by choices, tables, sums over GF(2) and shuffles",
    "masks": "comparisons of vectors, joined, as integers, counted, stored as bytes, and integers as masks",
    "moves": "chains of shuffles with several results, and fields of bits gathered from bytes",
    "squares": "blocks transformed along rows and columns and transposed; partial sums, products over GF(2)",
    "csmith": "programs of csmith, rewritten and not run",
}
_HEAD: Final = (
    "generator",
    "functions",
    "rewritten",
    "with loops",
    "differences",
    "faults",
    "other exit codes",
    "late",
    "CPU s each",
)


def section(rows: Sequence[Row]) -> str:
    """Return the section's text: a table by generator and one of the conditions."""
    ordered = sorted({r.generator for r in rows}, key=[*ABOUT].index)
    table = [_line(name, [r for r in rows if r.generator == name]) for name in ordered]
    kinds: dict[str, int] = {}
    for r in rows:
        for kind, n in r.kinds.items():
            kinds[kind] = kinds.get(kind, 0) + n
    exits: dict[str, int] = {}
    for r in rows:
        for status, n in r.exits.items():
            exits[status] = exits.get(status, 0) + n
    about = (
        '`make fuzz` (`tests/fuzz`): functions made from seeds, rewritten by `isel opt`. "Rewritten" are those that were rewritten and of which both\n'
        "versions were run on the same memory, between pages that cannot be touched; only they are compared. Written by `make fuzz-report`."
    )
    more = (
        f"Rewritten functions whose memory is special: {', '.join(f'{n} {kind}' for kind, n in sorted(kinds.items())) or 'none'}. "
        f"Exit codes of `isel opt`: {', '.join(f'{status} {n} times' for status, n in sorted(exits.items()))}. "
        f"Rewritten and not run, since LLVM cannot compile the original: {total(rows)['unrunnable']}; changed and not reported: {total(rows)['reports']}."
    )
    parts = [
        about,
        "\n".join(
            [
                _row(_HEAD),
                _row(["---", *["--:"] * (len(_HEAD) - 1)]),
                *table,
                _line("all", list(rows)),
            ]
        ),
        "\n".join(f"- `{name}`: {ABOUT[name]}" for name in ordered),
        more,
        "\n".join(
            [
                _row(("commit", "flags of isel opt", "CPU", "seeds", "batches", "functions")),
                _row(["---"] * 3 + ["--:"] * 3),
                *_conditions(rows),
            ]
        ),
    ]
    return "\n\n".join(parts) + "\n"


def _row(cells: Sequence[object]) -> str:
    return "| " + " | ".join(str(c) for c in cells) + " |"


def _line(name: str, rows: Sequence[Row]) -> str:
    t = total(rows)
    seconds = sum(r.seconds for r in rows) / max(1, t["functions"])
    return _row(
        (
            name,
            *(
                t[k]
                for k in (
                    "functions",
                    "rewritten",
                    "loops",
                    "differences",
                    "faults",
                    "wrong_exits",
                    "late",
                )
            ),
            f"{seconds:.2f}",
        )
    )


def _conditions(rows: Sequence[Row]) -> list[str]:
    found: list[str] = []
    for key in sorted({(r.commit, r.flags, r.host) for r in rows}):
        mine = [r for r in rows if (r.commit, r.flags, r.host) == key]
        seeds = [r.seed for r in mine]
        flags = f"`{key[1]}`" if key[1] else "none"
        found.append(
            _row(
                (
                    key[0],
                    flags,
                    key[2],
                    f"{min(seeds)} to {max(seeds)}",
                    len(mine),
                    total(mine)["functions"],
                )
            )
        )
    return found


def write(path: Path, rows: Sequence[Row]) -> None:
    """Write the section into the page."""
    write_section(path, TITLE, section(rows))
