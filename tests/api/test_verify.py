"""``isel.verify`` and ``isel.explain``: what their commands say."""

from __future__ import annotations

import contextlib
import io

import llvmlite.binding as llvm
import pytest

import isel
from isel.api.verify import Assumptions, compare
from isel.cli import main
from isel.errors import BadModule, UnknownName
from isel.model.verdict import Refuted
from tests.api.modules import CPU, DOT4, PAIR, PLAIN, SCALAR


def test_a_module_refines_itself_in_every_kind() -> None:
    module = llvm.parse_assembly(PLAIN)
    for source in (PLAIN, module, module.as_bitcode()):
        verdict = isel.verify(source, PLAIN)
        assert verdict.proved and not verdict.refuted
        assert [f.name for f in verdict.functions] == ["f"]


def test_what_is_rewritten_is_proved_and_its_opposite_refuted() -> None:
    done = isel.optimize(DOT4, cpu=CPU, cache=False)
    assert isel.verify(DOT4, done.module).proved
    verdict = isel.verify(PAIR)
    assert (verdict.proved, verdict.refuted) == (False, True)
    assert str(verdict) == "@src: refuted at lane 0: %x = 0, source = 1, target = 2\n"
    (row,) = verdict.functions
    assert isinstance(row.verdict, Refuted)


def test_a_verdict_is_no_truth_value() -> None:
    """One that is unknown would be true in one way to ask and false in the other."""
    with pytest.raises(TypeError, match=r"ask \.proved or .refuted"):
        bool(isel.verify(PAIR))


def test_assumptions_are_those_of_the_command() -> None:
    source = "define i32 @f(i32 %x) {\n  ret i32 %x\n}\n"
    target = "define i32 @f(i32 %x) {\n  %y = freeze i32 %x\n  ret i32 %y\n}\n"
    doubled = "define i32 @f(i32 noundef %x) {\n  ret i32 %x\n}\n"
    assert isel.verify(source, target).proved
    assert isel.verify(target, source).refuted
    assert isel.verify(target, source, assume_noundef_arguments=True).proved
    assert compare(target, doubled, "", Assumptions(noundef_arguments=True))


def test_modules_without_a_pair() -> None:
    with pytest.raises(BadModule, match="no pair of functions"):
        isel.verify(SCALAR)
    assert str(isel.verify(SCALAR, PLAIN)) == "@g: unknown: there is no function @g\n"


def test_an_instruction_is_explained_as_the_command_does() -> None:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        assert main(["explain", "vpdpbusd"]) == 0
    assert isel.explain("vpdpbusd") == said.getvalue()
    assert "A haswell" in isel.explain("psadbw", "x86", cpu="haswell")


@pytest.mark.parametrize(("name", "target"), [("vpdpbus", None), ("vpdpbusd", "arm")])
def test_what_is_not_known(name: str, target: str | None) -> None:
    with pytest.raises(UnknownName):
        isel.explain(name, target)
