"""Pipelines that only Halide's back end for the target fails on, and those it does not end with."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import pytest

from frontends.halide import build as built
from frontends.halide import load_pipeline, recipe, resolve
from frontends.halide.candidates import GENERIC_ISEL
from frontends.halide.choice import choose
from frontends.halide.forked import forked
from frontends.halide.package import Compiled, HalideProblem, Pipeline, compile_pipeline
from frontends.halide.realise import realise
from frontends.llvm.pipeline.options import Rewritten
from frontends.llvm.report.tried import ModuleReport

PIPELINES = Path(__file__).with_name("pipelines.py")


def untouched(text: str, file: str) -> Rewritten:
    return Rewritten(text, text, ModuleReport(file), text)


@pytest.mark.parametrize("name", ["x86", "hvx"])
def test_what_halide_does_not_compile_for_a_target_has_one_candidate(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = resolve(name)

    def fails(
        pipeline: Pipeline, to: str, flags: Sequence[str] = (), *, code: bool = True
    ) -> Compiled:
        if to == target.own:
            raise HalideProblem("no way")
        return compile_pipeline(pipeline, to, flags, code=code)

    monkeypatch.setattr(import_module("frontends.halide.build"), "compile_pipeline", fails)
    _, pipeline = load_pipeline(f"{PIPELINES}:average")
    made = built(pipeline, target, untouched, compare=True)
    assert made.own is None and made.own_ir is None and made.lacks == "no way"
    choice = choose(made, target)
    assert [c.name for c in choice.candidates] == [GENERIC_ISEL]
    assert choice.chosen.code.object and choice.sentence == (
        "generic + isel, the only one (no way); 0 windows, 0 rewritten"
    )


def test_a_job_has_so_many_seconds_of_processor_time() -> None:
    def busy() -> int:
        while True:
            pass

    with pytest.raises(HalideProblem, match=r"^Halide needs over 1 s for 'it'$"):
        forked(busy, "'it'", 1)
    assert forked(lambda: 7, "'it'", 1) == 7


def test_ir_alone_has_no_code() -> None:
    target = resolve("hvx")
    _, pipeline = load_pipeline(f"{PIPELINES}:average")
    found = forked(
        lambda: compile_pipeline(realise(recipe(pipeline, target)), target.generic, code=False),
        "it",
    )
    assert found.text and found.header and not found.assembly and not found.object
