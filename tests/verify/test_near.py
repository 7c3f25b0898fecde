"""Counterexamples at places that few samples meet: ties, thresholds, ends of ranges; and which of
several is shown.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from isel.cli import main
from isel.ir.text import parse
from isel.model.verdict import Proved, Refuted, Unknown, Verdict
from isel.smt.query import Answer, GaveUp, Query
from isel.verify.near import near_model
from isel.verify.prove import Obligation, Seeking, holds, prove
from isel.verify.samples import sample_model
from isel.verify.saturated import steps_of
from isel.verify.steps import replay

# Rounded twice, or once: they differ where a product is a tie, which its halves say nothing of.
_PRODUCT = "(mul (sext 64 b:32) (sext 64 c:32))"
_ONCE = f"(extract 31 32 (add (sub (shl (sext 64 a:32) 31:64) {_PRODUCT}) 1073741824:64))"
_TWICE = f"(sub a:32 (extract 31 32 (add {_PRODUCT} 1073741824:64)))"
_DIFFERENT = (
    (_ONCE, _TWICE),
    ("(ult (add (mul a:32 b:32) c:32) 123456789:32)", "(ult (add (mul a:32 b:32) c:32) 123456788:32)"),
    ("(lshr (add (mul a:32 b:32) 32768:32) 16:32)", "(lshr (add (mul a:32 b:32) 32767:32) 16:32)"),
    ("(slt a:64 (add (mul b:64 c:64) 77777:64))", "(sle a:64 (add (mul b:64 c:64) 77777:64))"),
    ("(eq (mul (zext 80 a:40) (zext 80 b:40)) 1000000007:80)", "0:1"),
)  # fmt: skip


class _GivesUp:
    """A solver without answers."""

    def check(self, query: Query) -> Answer:
        return GaveUp("told to")


def _verdict(left: str, right: str) -> Verdict:
    return prove(
        [Obligation(parse("1:1"), parse(left), parse(right))],
        checker=Seeking(_GivesUp(), near_model),
    )


@pytest.mark.parametrize(("left", "right"), _DIFFERENT)
def test_terms_that_hardly_differ_are_told_apart_without_a_solver(left: str, right: str) -> None:
    failing = parse(f"(not (eq {left} {right}))")
    assert sample_model(failing) is None
    found = near_model(failing)
    assert found is not None and holds(failing, found) and near_model(failing) == found
    assert isinstance(_verdict(left, right), Refuted)


def test_what_is_equal_is_not() -> None:
    for left, _ in _DIFFERENT:
        assert not isinstance(_verdict(left, f"(not (not {left}))"), Refuted)
    assert near_model(parse("(ult (add (mul a:32 b:32) 1:32) (mul a:32 (mul b:32 0:32)))")) is None
    assert near_model(parse("0:1")) is None
    large = "a:1024"
    for _ in range(64):
        large = f"(add (mul {large} b:1024) c:1024)"
    assert near_model(parse(f"(ult {large} 1:1024)")) is None  # it would take seconds


def _shown(text: str, path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    path.write_text(text)
    assert main(["verify", str(path)]) == 2
    return capsys.readouterr().out


def test_sqrdmulh_and_sqsub_are_no_sqrdmlsh(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They round twice; clang 14 merged them."""
    kind, names = "<8 x i16>", ("sqrdmulh", "sqsub", "sqrdmlsh")
    head = f"{kind} noundef %a, {kind} noundef %b, {kind} noundef %c"
    called = {x: f"@llvm.aarch64.neon.{x}.v8i16({kind}" for x in names}
    shown = _shown(
        f"""target triple = "aarch64-unknown-linux-gnu"
declare {kind} {called["sqrdmulh"]}, {kind})
declare {kind} {called["sqsub"]}, {kind})
declare {kind} {called["sqrdmlsh"]}, {kind}, {kind})
define {kind} @src({head}) {{
  %m = call {kind} {called["sqrdmulh"]} %b, {kind} %c)
  %r = call {kind} {called["sqsub"]} %a, {kind} %m)
  ret {kind} %r
}}
define {kind} @tgt({head}) {{
  %r = call {kind} {called["sqrdmlsh"]} %a, {kind} %b, {kind} %c)
  ret {kind} %r
}}
""",
        tmp_path / "pair.ll",
        capsys,
    )
    assert "refuted" in shown and "poison" not in shown


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("%r = add i8 %x, 1", "%r = add nsw i8 %x, 2"),
        ("%r = select i1 %c, i8 %x, i8 0", "%m = sext i1 %c to i8\n  %r = add i8 %x, %m"),
        ("%r = and i8 %x, 3", "%d = udiv i8 1, %x\n  %r = add i8 %x, %d"),
    ],
    ids=["a flag", "an arm", "a division"],
)
def test_a_counterexample_is_shown_in_numbers(
    source: str, target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f"define i8 @src(i8 %x, i1 %c) {{\n  {source}\n  ret i8 %r\n}}\n"
    text += f"define i8 @tgt(i8 %x, i1 %c) {{\n  {target}\n  ret i8 %r\n}}\n"
    shown = _shown(text, tmp_path / "pair.ll", capsys)
    assert "poison" not in shown and "undefined" not in shown, shown


def test_what_differs_in_poison_alone_is_refuted_by_poison(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "define i8 @src(i8 %x) {\n  %r = add i8 %x, 1\n  ret i8 %r\n}\n"
    text += text.replace("@src", "@tgt").replace("add i8", "add nsw i8")
    assert "target = poison" in _shown(text, tmp_path / "pair.ll", capsys)


@pytest.mark.parametrize(("left", "right"), _DIFFERENT)
def test_whoever_helps_is_not_believed(left: str, right: str) -> None:
    """Steps by which other terms are equal prove nothing, and an assignment that is none refutes
    nothing.
    """
    equal = parse("(add p:16 (sub q:16 p:16))"), parse("q:16")
    steps = steps_of(*equal, {})
    assert steps is not None and replay(steps, *equal, {}) == ""
    asked = [Obligation(parse("1:1"), parse(left), parse(right))]
    assert prove(asked, checker=_GivesUp(), steps=lambda *_: steps) == Unknown("told to")
    liar = Seeking(_GivesUp(), lambda _: {})
    assert not isinstance(prove(asked, checker=liar), Proved | Refuted)
