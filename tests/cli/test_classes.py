"""``isel classes`` and what ``isel explain`` tells of classes."""

from __future__ import annotations

import json

import pytest

from equiv_classes.dictionary import dictionary
from semantics import searched
from tests.cli.modules import Run


def test_list_has_a_line_for_each_class(isel: Run) -> None:
    lines = isel("classes", "list").out.splitlines()
    assert [line.split()[0] for line in lines] == [c.name for c in dictionary().classes]


def test_summary_counts_each_target_and_all(isel: Run) -> None:
    lines = isel("classes", "list", "--summary").out.splitlines()
    assert lines[0].split() == [
        "instructions",
        "operations",
        "cores",
        "cores",
        "x",
        "modes",
        "singletons",
        "not",
        "read",
        "parameters",
        "a",
        "class",
    ]
    assert [line.split()[0] for line in lines[1 : 1 + len(searched())]] == sorted(
        t.name for t in searched()
    )
    assert any(line.startswith("together ") for line in lines)


def test_swizzles_are_counted_before_and_after(isel: Run) -> None:
    lines = isel("classes", "list", "--swizzles").out.splitlines()
    assert lines[0].split() == ["called", "for", "distinct", "swizzles", "classes"]
    called, distinct, classes = (int(x) for x in lines[1].split()[1:])
    assert called >= distinct >= classes > 0


def test_show_takes_classes_and_instructions(isel: Run) -> None:
    add = dictionary().named("add")
    assert add is not None
    lines = isel("classes", "show", "add").out.splitlines()
    assert lines[:4] == [
        f"class add: {len(add.members)} instructions",
        "  operands    a b",
        "  parameter   w: 8 16 32 64",
        "  parameter   n: 1 to 256 (9 values)",
    ]
    assert "  lane        r[i0] = (add a[i0*w]:w b[i0*w]:w) for i0 < n" in lines
    assert "  merge       where k[i0]:1 is 0 the lane is s[i0*w]:w" in lines
    assert sum(line.split()[0] in {t.name for t in searched()} for line in lines) == len(
        add.members
    )
    assert isel("classes", "show", add.members[0].name).out.splitlines() == lines


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("show", "uadd_sa"),
            "isel: error: unknown class or instruction 'uadd_sa', did you mean 'uadd_sat'?",
        ),
        (("show",), "isel: error: isel classes show takes the names of classes or instructions"),
        (("list", "no-such"), "isel: error: no class or instruction is called like 'no-such'"),
        (("build", "add", "-o", "x"), "isel: error: isel classes build takes no names"),
        (
            ("list", "add", "--summary"),
            "isel: error: --summary and --swizzles go with no names, no filter and no --json",
        ),
        (("show", "add", "--summary"), "isel: error: --summary belongs to 'isel classes list'"),
        (
            ("build",),
            "isel: error: isel classes build takes -o FOLDER (in a checkout: equiv_classes)",
        ),
        (("list", "-j", "2"), "isel: error: --jobs belongs to 'isel classes build'"),
    ],
)
def test_mistakes_are_one_line(isel: Run, words: tuple[str, ...], message: str) -> None:
    done = isel("classes", *words)
    assert done.code == 1
    assert done.err == message + "\n"


def test_list_filters(isel: Run) -> None:
    assert [c.split()[0] for c in isel("classes", "list", "vpavg*").out.splitlines()] == ["uavg"]
    (found,) = json.loads(isel("classes", "list", "uavg", "--width", "512", "--json").out)
    assert (
        found["name"] == "uavg"
        and {
            "target": "x86",
            "name": "_mm_avg_epu8",
            "mode": "none",
            "parameters": {"w": 8, "n": 16, "p": 9},
        }
        in found["members"]
    )
    wide = isel("classes", "list", "--feature", "avx512vbmi", "--width", "512").out.splitlines()
    assert 0 < len(wide) < len(isel("classes", "list").out.splitlines())


def test_explain_tells_class_and_parameters(isel: Run) -> None:
    out = isel("explain", "_mm256_add_epi8").out
    assert "  class      add: w=8 n=32\n" in out
    assert "             r[i0] = (add a[i0*w]:w b[i0*w]:w) for i0 < n\n" in out


def test_a_mnemonic_names_the_classes_of_its_instructions(isel: Run) -> None:
    ran = isel("classes", "show", "vpavgb")
    assert ran.code == 0
    assert "_mm256_avg_epu8" in ran.out
