"""Records made up for tests of summaries and reports."""

from __future__ import annotations

from bench.harness.records import Compile, Kept, Record, Run, When, Window
from isel.timing import Times

WINDOW = Window(
    "@mul %9 line 12",
    ("%8 = add <4 x i32> %6, %7", "%9 = <b>"),
    ("%9 = call <4 x i32> @f()",),
    4.0,
    2.5,
    "1 query | (z3)",
)


def compile_(version: str, when: When, seconds: float = 2.0, hits: int = 0) -> Compile:
    return Compile(version, when, seconds, 1.5 * seconds, 0.25, 120.0, 4, 1, 2, 10, hits, 3, 0)


def halide(name: str, group: str, llvm: float, own: float, isel: float) -> Record:
    times = tuple(
        Times(v, 100, (t, t * 1.5, t * 1.25))
        for v, t in (("llvm", llvm), ("halide", own), ("isel", isel))
    )
    compiles = tuple(
        compile_("isel", w, 2.0 if w is When.COLD else 0.5, 0 if w is When.COLD else 7)
        for w in When
    )
    return Record(
        name,
        group,
        "halide",
        "",
        "",
        4,
        compiles,
        times,
        (WINDOW,),
        (Kept("@mul %3 line 4", "no gain"),),
        (),
    )


def a_run() -> Run:
    records = (
        halide("first", "matmul", 200.0, 150.0, 100.0),
        halide("second", "matmul", 800.0, 100.0, 100.0),
        halide("third", "third", 90.0, 100.0, 100.0),
        Record(
            "broken", "broken", "c", "clang differs from numpy on input 2: 3 of 9 elements differ"
        ),
    )
    return Run((("cpu", "A processor"), ("seed", "7")), records)
