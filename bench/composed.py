"""Nested fixed-point operations through ``isel opt``, held against the sum of their parts' prices,
``python -m bench.composed --isel COMMAND --suite FOLDER``.

A few windows at a time are put into one module; prices of what stays as it is come from the suite's
own ``run.py``.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import resource
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Final

_TOGETHER: Final = 4  # windows in a module
_TOLERANCE: Final = 0.02  # cycles


@dataclass(frozen=True)
class Row:
    """A function, what LLVM's code and isel's cost, and what its operations cost one by one."""

    name: str
    llvm: float
    after: float
    parts: float
    nest: str

    @property
    def within(self) -> bool:
        """Tell whether the function costs at most what its parts cost."""
        return self.after <= self.parts + _TOLERANCE


@dataclass
class Score:
    """The counts of one depth."""

    rows: list[Row] = field(default_factory=list)

    def text(self, what: str) -> str:
        """Return the counts in a line."""
        rows = self.rows
        total = [sum(x) for x in zip(*((r.llvm, r.after, r.parts) for r in rows), strict=True)]
        costs = ", ".join(
            f"{name} {x:.2f}" for name, x in zip(("LLVM", "isel", "parts"), total, strict=False)
        )
        within = sum(r.within for r in rows)
        above = sum(r.after > r.llvm + _TOLERANCE for r in rows)
        share = 100 * within / len(rows) if rows else 0
        return (
            f"{what}: {len(rows)} windows, {costs}; at the parts' price or under "
            f"{within} ({share:.0f} %), above LLVM {above}"
        )


def suite_runner(suite: Path) -> ModuleType:
    """Return the suite's own program as a module."""
    path = suite / "run.py"
    spec = importlib.util.spec_from_file_location("composed_run", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def joined(texts: Sequence[tuple[str, str]]) -> str:
    """Return one module with the function ``@w`` of each (name, text) under its name."""
    lines: dict[str, str] = {}
    bodies: list[str] = []
    for name, text in texts:
        for line in text.splitlines():
            if line.startswith("declare"):
                lines.setdefault(line.split("@")[1].split("(")[0], line)
        found = re.search(r"^define .*?^\}$", text, re.MULTILINE | re.DOTALL)
        assert found is not None, name
        bodies.append(found[0].replace("@w(", f"@{name}("))
    return "\n".join([*bodies, *lines.values()]) + "\n"


def scored(
    run: ModuleType, isel: str, target: str, paths: Sequence[Path], extra: Sequence[str]
) -> Iterator[Row]:
    """Yield a row for each file."""
    for at in range(0, len(paths), _TOGETHER):
        some = [(p.stem, *run.header(str(p))) for p in paths[at : at + _TOGETHER]]
        module = joined([(name, text) for name, text, _, _ in some])
        cost, _ = run.opt(isel, module, target, list(extra), 600)
        for name, text, _, _ in some:
            if cost.get(name, [None])[0] is None:
                cost[name] = [price := _unpriced(run, isel, target, name, text, extra), price, ""]
        for name, _, head, parts in some:
            llvm, after, _ = cost[name]
            if llvm is None:
                print(f"{name}: no price", file=sys.stderr)
            else:
                yield Row(name, llvm, after, parts[target], head["nest"])


def _unpriced(
    run: ModuleType, isel: str, target: str, name: str, text: str, extra: Sequence[str]
) -> float | None:
    """Return the price of LLVM's code of a function that stays as it is."""
    try:
        found = run.unpriced(isel, joined([(name, text)]), target, [*extra, "-effort", "0"], 600)
    except (RuntimeError, TypeError):
        return None
    price = found.get(name)
    return None if price is None else float(price)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the rows above their parts' price, then counts by depth; exit code 1 for any."""
    parser = argparse.ArgumentParser(prog="python -m bench.composed", description=__doc__)
    parser.add_argument("--isel", required=True, help="the command isel")
    parser.add_argument("--suite", type=Path, default=Path("../shared/suites/composed"))
    parser.add_argument("--target", choices=("x86", "arm"), default="x86")
    parser.add_argument("--depth", default="2,3,4")
    parser.add_argument("--limit", type=int, help="the first of each depth only")
    parser.add_argument("--extra", default="", help="further options of isel opt")
    parser.add_argument("--all", action="store_true", help="print every row")
    args = parser.parse_args(argv)
    run = suite_runner(args.suite)
    every = Score()
    for depth in args.depth.split(","):
        one = Score()
        paths = sorted((args.suite / "windows").glob(f"d{depth}_*.ll"))[: args.limit]
        for row in scored(run, args.isel, args.target, paths, args.extra.split()):
            one.rows.append(row)
            if args.all or not row.within:
                print(
                    f"{'ok   ' if row.within else 'above'} {row.name} LLVM {row.llvm:.2f} "
                    f"isel {row.after:.2f} parts {row.parts:.2f} {row.nest}",
                    flush=True,
                )
        every.rows += one.rows
        print(one.text(f"depth {depth}"), flush=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{every.text(args.target)}; CPU {used.ru_utime + used.ru_stime:.0f} s")
    return int(any(not r.within for r in every.rows))


if __name__ == "__main__":
    sys.exit(main())
