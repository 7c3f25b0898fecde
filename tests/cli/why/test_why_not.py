"""``isel why-not``: one row for each thing that may stop an instruction."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from frontends.llvm.report.tried import ModuleReport, Outcome, Place, WindowReport
from frontends.llvm.windows.scene import Site
from isel.cli.grammar.builds import why_not_parser
from isel.cli.why import command
from isel.cli.why.cheap import CheapTarget, cheap_targets
from isel.cli.why.fits import Fit, fit
from isel.cli.why.words import say_fit
from isel.ir.build import add, lshr, trunc, zext
from isel.ir.expr import const, elem
from isel.model.window import Leaf, Root, Window
from semantics import searched_for
from semantics.coverage import named
from tests.cli.modules import CPU, PLAIN, SCALABLE, Run

SITE = Site("f", 0, (), (), (), Window((), ()))
TRIPLE = "x86_64-unknown-linux-gnu"
WINDOWS = f"""\
target triple = "{TRIPLE}"
define <32 x i8> @floor(<32 x i8> %a, <32 x i8> %b) {{
  %x = zext <32 x i8> %a to <32 x i16>
  %y = zext <32 x i8> %b to <32 x i16>
  %s = add <32 x i16> %x, %y
  %h = lshr <32 x i16> %s, splat (i16 1)
  %r = trunc <32 x i16> %h to <32 x i8>
  ret <32 x i8> %r
}}
define <32 x i8> @wrap(<32 x i8> %a, <32 x i8> %b) {{
  %s = add <32 x i8> %a, %b
  %r = xor <32 x i8> %s, splat (i8 85)
  ret <32 x i8> %r
}}
define <16 x i16> @high(<16 x i16> %a, <16 x i16> %b) {{
  %x = sext <16 x i16> %a to <16 x i32>
  %y = sext <16 x i16> %b to <16 x i32>
  %m = mul <16 x i32> %x, %y
  %h = lshr <16 x i32> %m, splat (i32 16)
  %r = trunc <16 x i32> %h to <16 x i16>
  ret <16 x i16> %r
}}
define <16 x i16> @triple(<16 x i16> %a) {{
  %r = mul <16 x i16> %a, splat (i16 3)
  ret <16 x i16> %r
}}
"""


@pytest.mark.parametrize(
    ("name", "line", "cpu", "said"),
    [
        ("vpmulhw", 20, "haswell", "vpmulhw is what LLVM selects; kept: LLVM selects"),
        ("vpavgb", 7, "haswell", "vpavgb is taken: 5 operations -> vpaddb + vpavgb + vpsubb (ymm)"),
        ("vpavgb", 5, "haswell", "vpavgb is taken: "),  # a line of the window
        (
            "vpaddusb",
            12,
            "haswell",
            "counterexample: for %a[0] = 1, %b[0] = 255 (-1) the window has 0, vpaddusb gives 255 (-1)",
        ),
        ("vpaddusb", 12, "haswell", "missing range fact: with %a[0] and %b[0] below 2^7 they are"),
        ("vpaddsb", 12, "haswell", "from -2^6 to 2^6 - 1 they are equal, proved"),
        (
            "vpdpbusd",
            7,
            "haswell",
            "missing feature: vpdpbusd needs avxvnni; @floor is not compiled",
        ),
        ("vpsadbw", 12, "haswell", "another function: no value of a lane is near"),
        ("vpaddw", 7, "haswell", "vpaddw computes u16(%a[0]) + u16(%b[0]), proved"),
        ("vpaddw", 7, "haswell", "layout: no program with it was found for the whole window"),
        ("vpmullw", 24, "haswell", "cost: a program with vpmullw (vpmullw (ymm)) was found and"),
        ("vpmullw", 24, "haswell", "; not faster (1.00 -> 1.00 cycles)"),
    ],
)
def test_what_stops_an_instruction(
    isel: Run, tmp_path: Path, name: str, line: int, cpu: str, said: str
) -> None:
    (tmp_path / "w.ll").write_text(WINDOWS)
    ran = isel("why-not", name, f"w.ll:{line}", f"-mcpu={cpu}", "-j1")
    assert (ran.code, ran.err) == (0, "")
    assert said in ran.out
    assert ran.out.count("w.ll:") == 1


def test_every_window(isel: Run, tmp_path: Path) -> None:
    (tmp_path / "w.ll").write_text(WINDOWS)
    ran = isel("why-not", "vpavgb", "w.ll", "-mcpu=haswell", "-j1")
    assert ran.code == 0
    assert re.findall(r"^w\.ll:\d+: \d operations?, %r of @\w+$", ran.out, re.MULTILINE) == [
        "w.ll:7: 5 operations, %r of @floor",
        "w.ll:12: 2 operations, %r of @wrap",
        "w.ll:20: 5 operations, %r of @high",
        "w.ll:24: 1 operation, %r of @triple",
    ]


def test_without_a_name(isel: Run, tmp_path: Path) -> None:
    (tmp_path / "w.ll").write_text(WINDOWS)
    ran = isel("why-not", "w.ll:20", "-mcpu=haswell", "-j1")
    assert ran.out.splitlines()[1].startswith("  kept: LLVM selects vpmulhw (ymm) already")


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("vpavgx", "w.ll"), "error: unknown instruction 'vpavgx', did you mean 'vpavg"),
        (("vpavgb", "w.ll:1"), "error: w.ll:1: no window is here; the nearest are at lines 7"),
        (("vpavgb", "plain.ll", "w.ll"), "error: unexpected argument 'w.ll', expected [NAME] FILE"),
        (("vpavgb", "scalable.ll"), "error: scalable.ll has no window"),
        (("vpavgb", "nowhere.ll"), "nowhere.ll: error: no such file or directory"),
        ((), "error: the following arguments are required: [NAME] FILE[:LINE]"),
    ],
)
def test_what_cannot_be_answered(
    isel: Run, tmp_path: Path, words: tuple[str, ...], what: str
) -> None:
    for name, text in (("w", WINDOWS), ("plain", PLAIN), ("scalable", SCALABLE)):
        (tmp_path / f"{name}.ll").write_text(text)
    ran = isel("why-not", *words, "-j1")
    assert ran.code == 1
    assert ran.err.startswith(f"isel: {what}")


def test_the_limit_is_named(isel: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "w.ll").write_text(WINDOWS)
    limit = "no program found: the search ended at its limit of 5 goals"
    window = WindowReport(Place("wrap", "r", 12, module="w.ll"), Outcome.KEPT, (), reason=limit)
    monkeypatch.setattr(command, "_in_own_lines", lambda *_: ModuleReport("w.ll", (window,)))
    ran = isel("why-not", "vpaddusb", "w.ll", "-mcpu=haswell", "-j1")
    assert f"limit reached: {limit}; --effort raises it" in ran.out


def test_only_the_named_are_cheap() -> None:
    find = cheap_targets(searched_for, frozenset(("vpavgb_ymm",)))
    target, plain = find(TRIPLE), searched_for(TRIPLE)
    assert isinstance(target, CheapTarget)
    assert target.digest != plain.digest
    for i in plain.instructions()[:50]:
        assert target.operation_cost(i, "haswell") == plain.operation_cost(i, "haswell")
    (one, *_) = named(plain, "vpavgb")
    assert (
        cheap_targets(searched_for, frozenset((one.name,)))(TRIPLE).operation_cost(one, "haswell")
        == 1
    )
    assert (target.name, target.planes) == (plain.name, plain.planes)
    assert target.halves_cost("haswell") == plain.halves_cost("haswell")


def test_a_function_is_found_under_other_names() -> None:
    """The average that rounds up, as other operations: proved; the one that rounds down differs."""
    a, b = elem("b", 0, 8), elem("a", 0, 8)
    total = add(zext(a, 16), zext(b, 16))
    leaves = (Leaf("a", 8, 1), Leaf("b", 8, 1))
    forms = named(searched_for(TRIPLE), "vpavgb")
    found = []
    for k in (1, 0):
        lane = trunc(lshr(add(total, const(k, 16)), const(1, 16)), 8)
        found.append(fit(Window(leaves, (Root(8, (lane,), (const(1, 1),)),)), forms))
    up, down = found
    assert up is not None and up.proved
    assert down is not None and not down.proved
    assert down.results[0] + 1 == down.results[1]
    assert sum(down.model.values()) == 1


def test_what_is_open_is_said() -> None:
    a = elem("a", 0, 8)
    (form, *_) = named(searched_for(TRIPLE), "vpavgb")
    (line,) = say_fit(Fit(form, a, add(a, a), False, {}), SITE, missing=False)
    assert line == "open: neither is a proved to be a + a, nor is there a counterexample"


def test_the_grammar() -> None:
    parser = why_not_parser()
    given = parser.parse_args(["vpavgb", "a.ll:3", CPU])
    assert given.names == ["vpavgb", "a.ll:3"]
