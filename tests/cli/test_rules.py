"""``isel rules``: what is listed, shown and proved, and mistakes."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from frontends.llvm.splicing.emit import EmissionError
from isel.cli.pairs import rule_pair
from isel.rules.books import rule_of
from isel.rules.record import every_rule
from tests.cli.modules import Run

ROOT = Path(__file__).parents[2]
SUM = """\
target triple = "x86_64-unknown-linux-gnu"
define <16 x i16> @sum(<16 x i16> %a, <16 x i16> %b) {
  %x = sext <16 x i16> %a to <16 x i32>
  %y = zext <16 x i16> %b to <16 x i32>
  %s = add <16 x i32> %x, %y
  %t = trunc <16 x i32> %s to <16 x i16>
  ret <16 x i16> %t
}
"""
GOOD = "mine: (sub x:w (neg y:w)) => (add x y)\n"


def test_list_names_file_line_and_widths(isel: Run) -> None:
    lines = isel("rules", "list").out.splitlines()
    assert lines[-1] == f"{len(every_rule())} rules" and len(lines) == len(every_rule()) + 1
    row = json.loads(isel("rules", "list", "narrow.add", "--json").out)
    assert row["file"] == "isel/rules/narrow.rules" and row["proved"] > 10
    text = (ROOT / row["file"]).read_text().splitlines()[row["line"] - 1]
    assert text.startswith("narrow: ")  # a line for each operation


def test_show_prints_the_rule_as_it_is_written(isel: Run) -> None:
    place, *text, widths = isel("rules", "show", "narrow.neg").out.splitlines()
    source = (ROOT / "isel/rules/narrow.rules").read_text()
    assert place.startswith("isel/rules/narrow.rules:") and "\n".join(text) in source
    assert text[0].startswith("narrow: ") and text[-1].strip().startswith("when ")
    assert widths.startswith("proved at n,w = 8,9 ")


def test_prove_takes_names_and_files(isel: Run, tmp_path: Path) -> None:
    done = isel("rules", "prove", "half.u.lshr")
    assert done.code == 0 and "1 rules proved at 4 widths" in done.out
    path = tmp_path / "mine.rules"
    path.write_text(GOOD)
    done = isel("rules", "prove", str(path))
    assert done.code == 0 and done.out.startswith("mine ") and "32 bits: none" in done.out


def test_a_false_rule_has_a_counterexample(isel: Run, tmp_path: Path) -> None:
    path = tmp_path / "wrong.rules"
    path.write_text(GOOD.replace("add x y", "sub x y"))
    done = isel("rules", "prove", str(path))
    assert done.code == 1 and done.out == ""
    assert done.err.startswith(f"isel: {path}:1:1: error: 'mine' is false where w = 2, ")


EXPORTED = {
    "mean.bits.u": 4,  # widths
    "sign.smin": 5,  # a range
    "room.sadd.min": 5,  # literals
    "sat.s.turned": 10,  # two widths
}


def test_exported_pairs_are_proved(isel: Run, tmp_path: Path) -> None:
    folder = tmp_path / "pairs"
    done = isel("rules", "export", *EXPORTED, "uavg", "--pairs", folder)
    every = sorted(folder.iterdir())
    assert done.code == 0 and done.out.splitlines()[-1].startswith(f"wrote {len(every)} pairs to ")
    assert ": the definition of an operation\n" in done.out
    assert Counter(p.name.split("-")[0] for p in every) == EXPORTED
    for path in (p for p in every if "8" in p.name):
        assert "@llvm.assume" in path.read_text() or not path.name.startswith(("sign", "room"))
        ran = isel("verify", path)
        assert ran.code == 0 and ran.out.startswith("@src: proved"), path
    mean, least = (rule_of("axioms", x, whole=False) for x in ("mean.bits.u", "sign.smin"))
    assert rule_pair(mean, (8,), lanes=16).count("<16 x i8> @") == 2
    with pytest.raises(EmissionError, match="a condition of lanes"):
        rule_pair(least, (8,), lanes=16)
    other = folder / "sign.smin-8.ll"
    other.write_text(other.read_text().replace("assume(i1 %t.1)", "assume(i1 true)"))
    assert isel("verify", other).out.startswith("@src: refuted")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("show",), "isel rules show takes a rule"),
        (("show", "narow.add"), "unknown rule 'narow.add', did you mean 'narrow.add'?"),
        (("list", "-o", "x"), "-o belongs to 'isel rules prove'"),
        (("prove", "--json"), "--json belongs to 'isel rules list'"),
        (("export",), "--pairs DIR belongs to 'isel rules export'"),
        (("list", "--pairs", "x"), "--pairs DIR belongs to 'isel rules export'"),
        (("prove", "narrow.add", "-o", "x"), "isel rules prove -o takes no names"),
        (("prove", "none.rules"), "none.rules: error: no such file or directory"),
    ],
)
def test_mistakes(isel: Run, words: tuple[str, ...], told: str) -> None:
    ran = isel("rules", *words)
    assert ran.code == 1 and told in ran.err and ran.err.count("\n") == 1


def test_opt_counts_the_rules_that_were_applied(isel: Run, tmp_path: Path) -> None:
    """A search that the cache answers applies none; how many workers there are does not matter."""
    path = tmp_path / "sum.ll"
    path.write_text(SUM)
    words = ("opt", str(path), "-S", "-o", "-", "-mcpu=haswell", "--effort", "0", "--cache", "off")
    counts = [isel(*words, "--print-rules", "-j", n) for n in ("1", "2")]
    assert {c.code for c in counts} == {0} and len({c.out for c in counts}) == 1
    assert "rules applied:\n" in counts[0].err and " narrow.add\n" in counts[0].err
    assert "rules applied" not in isel(*words).err
