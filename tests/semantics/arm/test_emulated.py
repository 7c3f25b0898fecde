"""Instructions in the emulator against their semantics: wrong ones are found, a driver that dies
takes no other with it, and what is missing is said.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from isel.spec.instruction import Instruction
from isel.spec.sem import read_sem
from semantics.arm.isa import ISA
from semantics.arm.target import Arm, target
from semantics.execution import NotRun, Run
from semantics.fuzz import fuzz

BLOCK = """
instruction {name}
  in a, b: 8 x 8
  result 8 x 8
  lane {lane}
  features neon
  mnemonic {name}
  emit {emit}
"""
ADD = "%r = add <8 x i8> %a, %b"


@dataclass(frozen=True)
class Only(Arm):
    """The target with other instructions."""

    changed: tuple[Instruction, ...] = ()

    def instructions(self) -> Sequence[Instruction]:
        return self.changed


def block(name: str, lane: str, emit: str = ADD) -> Instruction:
    (i,) = read_sem(BLOCK.format(name=name, lane=lane, emit=emit), check=False)
    return i


@pytest.mark.tools
def test_right_and_wrong() -> None:
    some = (
        block("add", "a[i] + b[i]"),
        block("addition_of_7_lanes", "i == 7 ? a[i] : a[i] + b[i]"),
        block("dies", "a[i]", "call void @llvm.trap()\n  emit %r = add <8 x i8> %a, %b"),
        block("unknown", "a[i]", "%r = call <8 x i8> @llvm.aarch64.neon.nothing(<8 x i8> %a)"),
    )
    report = fuzz(Only(some), 100, seed=3)
    assert report.agree == ("add",)
    assert [d.name for d in report.disagreements] == ["addition_of_7_lanes"]
    assert {u.name for u in report.untestable} == {"dies", "unknown"}
    (d,) = report.disagreements
    assert [s == m for s, m in zip(d.semantics, d.machine, strict=True)] == [True] * 7 + [False]


@pytest.mark.tools
def test_every_instruction_agrees_on_100_operands() -> None:
    report = fuzz(target(), 100, seed=2026, immediates=4, least=25, jobs=2)
    assert not report.disagreements, "\n".join(d.line() for d in report.disagreements)
    assert set(report.agree) == {i.name for i in target().instructions()}


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.devnull)
    report = fuzz(Only((block("add", "a[i] + b[i]"),)), 100, seed=3)
    assert [u.reason for u in report.untestable] == [
        "the host lacks qemu-aarch64: install qemu-user"
    ]
    assert not report.tested


@pytest.mark.tools
def test_a_driver_that_prints_too_little() -> None:
    """It ends before its results are written."""
    early = "call void @_exit(i32 0)\n  emit %r = add <8 x i8> %a, %b"
    (result,) = ISA.executor().run([Run(block("ends", "a[i]", early), {}, 0, 4)], 8, 1)
    assert isinstance(result, NotRun)
