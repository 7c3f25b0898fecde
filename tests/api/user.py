"""What a user may write, with every call: mypy --strict and pyright find nothing to say of it."""

from __future__ import annotations

import sys
from pathlib import Path

import llvmlite.binding as llvm

import isel


def rewrite(text: str, folder: Path) -> str:
    done: isel.Result[str] = isel.optimize(
        text, cpu="host", features="+avx2", effort=1, cache=folder, time_limit=2.5, only="f.*"
    )
    for window in done.windows:
        line: int = window.place.line
        cost: float | None = window.cost_after
        print(window.place.function, line, window.outcome, cost, window.proof, window.reason)
    for function in done.functions:
        print(function.name, function.skipped, function.instructions, function.cost)
    if done.limited or not done.rewritten:
        print(done)
    return done.module


def main(path: Path) -> bool:
    text = path.read_text()
    module = llvm.parse_assembly(text)
    binary: bytes = isel.optimize(b"BC", cache=False, time_limit=None).module
    other = isel.optimize(module, cache=True).module
    print(len(binary), other, isel.windows(text, cpu="haswell", only="f").module.upper())
    print(isel.explain("paddb"), isel.explain("paddb", "x86", cpu="haswell").splitlines())
    try:
        verdict: isel.Verdict = isel.verify(text, rewrite(text, path.parent), triple="x86_64")
    except isel.Error as error:
        print(error.message(), file=sys.stderr)
        return False
    for row in verdict.functions:
        print(row.name, row.verdict, row.line)
    return verdict.proved and not isel.verify(module, assume_noundef_memory=True).refuted
