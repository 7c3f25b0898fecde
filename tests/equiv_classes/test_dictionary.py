"""The shipped dictionary: complete, up to date, proved, reproducible and quick to read."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from functools import cache

import pytest

from equiv_classes.dictionary import FILE, Dictionary, dictionary, memberships, read, write
from equiv_classes.extend import extended_forms
from equiv_classes.lanes import Reader
from equiv_classes.names import Namer
from equiv_classes.prove import describe, prove_member
from equiv_classes.similarity import Sample, classes, grouped
from equiv_classes.summary import common, shares, show, show_shares, summaries
from isel.errors import SyntaxProblem
from isel.model.verdict import Proved
from isel.spec.instruction import Instruction, Membership
from isel.spec.known import class_of
from semantics import searched
from semantics.coverage import group
from semantics.x86.groups import COMMON

OTHERWISE = ("Q6_Vuh_vabsdiff_VhVh",)

REMAKE = "run 'isel classes build -o equiv_classes'"


@cache
def by_name() -> dict[tuple[str, str], Instruction]:
    return {(t.name, i.name): i for t in searched() for i in t.instructions()}


@pytest.fixture(scope="module")
def instructions() -> dict[tuple[str, str], Instruction]:
    return by_name()


def test_it_is_made_from_the_semantics_as_they_are() -> None:
    assert dictionary().source == " ".join(f"{t.name}:{t.digest[:16]}" for t in searched()), REMAKE


def test_no_instruction_is_lost(instructions: dict[tuple[str, str], Instruction]) -> None:
    members = {(m.target, m.name) for c in dictionary().classes for m in c.members}
    assert members == set(instructions), REMAKE


def test_names_are_distinct() -> None:
    names = [c.name for c in dictionary().classes]
    assert len(set(names)) == len(names)


def test_parameters_vary_and_are_used() -> None:
    """A parameter that never varies, or that no formula mentions, is not one."""
    for c in dictionary().classes:
        for k, name in enumerate(c.parameters):
            assert len({m.values[k] for m in c.members}) > 1, f"{c.name} {name}: {REMAKE}"


def test_a_member_of_every_class_equals_it(
    instructions: dict[tuple[str, str], Instruction],
) -> None:
    for c in dictionary().classes:
        if c.reason:
            continue
        member = min(
            c.members,
            key=lambda m: len(
                instructions[m.target, m.name].immediates
                and Reader(instructions[m.target, m.name]).settings
            ),
        )
        if len(Reader(instructions[member.target, member.name]).settings) <= 64:
            answer = prove_member(c, member, instructions[member.target, member.name]).verdict
            assert isinstance(answer, Proved), f"{c.name} {member.name}: {describe(answer)}"


def test_counts_add_up(instructions: dict[tuple[str, str], Instruction]) -> None:
    *each, together = summaries(dictionary())
    assert together.instructions == len(instructions) == sum(s.instructions for s in each)
    assert sum(together.sizes.values()) == together.cores <= together.modes
    assert sum(together.parameters.values()) + together.unread == together.cores
    assert f"{together.cores:6}" in show([*each, together])


def test_at_most_as_many_as_published() -> None:
    """HYDRIDE's Table 1 has 136 classes for its groups of instructions."""
    found = shares(
        dictionary(),
        lambda m: group(
            next(t for t in searched() if t.name == m.target), by_name()[m.target, m.name]
        ),
    )
    assert found[0].group.endswith(COMMON) and found[0].instructions >= 2029
    assert found[0].cores <= 136, found[0]
    assert sum(s.instructions for s in found) == len(by_name())
    assert max(s.cores for s in found) <= len(dictionary().classes) and sum(
        len(s.alone) for s in found
    ) <= len(dictionary().classes)
    assert f"{found[0].cores:6}" in show_shares(found)


def test_all_machines_in_few_classes() -> None:
    """HYDRIDE's Table 1 has 136 and 177 classes for x86 and ARM, 302 together, 397 with HVX."""
    groups = {(t.name, i.name): group(t, i) for t in searched() for i in t.instructions()}
    found = common(dictionary(), lambda m: groups[m.target, m.name])
    assert found.groups == (f"x86: {COMMON}", "arm: neon", "hvx: HVX")
    assert found.cores <= 389 and found.shared >= 30 and found.operations <= 332
    assert f"{found.shared} of them on each" in found.line()
    of_two = [
        replace(c, members=tuple(m for m in c.members if m.target != "hvx"))
        for c in dictionary().classes
    ]
    two = common(
        replace(dictionary(), classes=tuple(c for c in of_two if c.members)),
        lambda m: groups[m.target, m.name],
    )
    assert two.cores <= 290 and two.shared >= 40 and two.operations <= 255
    assert len(dictionary().classes) <= 515


def test_a_member_alone_gives_its_class_the_name(
    instructions: dict[tuple[str, str], Instruction],
) -> None:
    """So a target more or less changes none: every eighth class, by a member of each target.  The
    signed distance of HVX is written otherwise, and proved equal.
    """
    for c in [c for c in dictionary().classes if not c.reason][::8]:
        for target in {m.target for m in c.members}:
            m = min(
                (m for m in c.members if m.target == target),
                key=lambda m: len(instructions[m.target, m.name].immediates),
            )
            i = instructions[m.target, m.name]
            samples = [Sample(target, i.name, f, whole) for f, whole in extended_forms(i)]
            made = classes(grouped(samples), Namer())
            assert c.name in {x.name for x in made} or i.name in OTHERWISE, (c.name, i.name)


def test_grammars_are_made_of_its_classes(instructions: dict[tuple[str, str], Instruction]) -> None:
    """What the search enumerates is in a class, at every immediate; only what was not
    understood is not.
    """
    unread = {m.name for c in dictionary().classes if c.reason for m in c.members}
    by_target = {
        target: memberships(dictionary(), target) for target in {t.name for t in searched()}
    }
    for (target, name), i in instructions.items():
        assert i.classes == by_target[target].get(name, ())
        assert bool(i.classes) == (name not in unread), f"{name}: {REMAKE}"
    srai = instructions["x86", "_mm_srai_epi16"]
    shift = class_of(srai, (("imm8", 1),))
    assert [class_of(srai, (("imm8", n),)) for n in (0, 15, 16)] == [
        shift,
        shift,
        "sext",
    ] and shift.startswith("ashr_a_n")
    two = read(
        "class a\n  result 1 x 1\n  x86 f none ? 0 = 1\n  x86 f none ? 2..3 = 2\n  x86 g none = 1\nclass b\n  result 1 x 1\n  x86 f none ? 1 = 1\n"
    )
    assert memberships(two, "x86") == {
        "f": (Membership("a", ((0,), (2,), (3,))), Membership("b", ((1,),))),
        "g": (Membership("a"),),
    }
    assert memberships(two, "other") == {}


def test_it_is_read_only_when_asked_for() -> None:
    """Neither the command line nor the optimiser reads it to start."""
    code = "import sys, isel.cli.parser, isel.cli.opt; print([m for m in sys.modules if m.startswith('equiv_classes.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_mistakes_in_the_text_have_a_place() -> None:
    with pytest.raises(SyntaxProblem) as caught:
        read("# x\n\nclass a\n  kind nothing\n  x86\n")
    assert caught.value.message().startswith(f"{FILE}:3:1: error: no class can be read here")


def test_an_empty_dictionary_is_one() -> None:
    assert read(write(Dictionary(()), "0")) == Dictionary(())
