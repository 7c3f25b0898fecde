"""Splices that are planned as loads, those that stay with the reason, and their lines."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.pipeline.changes import edits_of, new_lines
from frontends.llvm.pipeline.judge import Refusal
from frontends.llvm.pipeline.layers import Layering, Layers
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options
from frontends.llvm.pipeline.run import Run
from frontends.llvm.report.tried import Outcome
from frontends.llvm.splicing.printed import as_written
from frontends.llvm.splicing.write import Edits, compose, edit
from frontends.llvm.text.ast import Module
from frontends.llvm.text.identity import Pairing, contents
from frontends.llvm.text.layout import sizes_of
from frontends.llvm.text.parse import parse_module
from frontends.llvm.transform.carried_loads import sites
from frontends.llvm.transform.ledger import Entry, Ledger
from frontends.llvm.transform.site import Opportunity, Scope
from isel.deadline import NEVER, Deadline, clock_of, deadline_in
from isel.failures import Net
from tests.frontends.llvm.toy import TOOLS

_PAIRS = Path(__file__).parents[2] / "verify" / "pairs"
_LOADS = {  # the sources of pairs whose splices are loads, and where those begin
    "spliced_by_one": [-1],
    "spliced_twice": [-1, -2],
    "spliced_in_both_halves": [-1, -1],
    "spliced_words": [-2],
    "spliced_behind_a_pointer": [-1],
    "spliced_while_a_store_goes_elsewhere": [-1],
    "spliced_in_a_scope": [-1],
    "spliced_in_a_versioned_loop": [-1],
    "spliced_after_a_store_elsewhere": [-1],
    "spliced_after_a_whole_vector": [-1],
    "spliced_in_a_nest": [-1],
    "spliced_across_masked_stores_elsewhere": [-1],
    "spliced_across_a_masked_load": [-1],
}
_STAY = {  # and those that are not, with what is said of them where they look like it
    "spliced_behind_a_pointer_that_is_slower": "",
    "spliced_with_a_step_of_eight": "",
    "spliced_with_another_neighbour": "",
    "spliced_with_another_buffer": "",
    "spliced_by_two_of_one_lane": "",
    "spliced_in_a_nest_from_the_first_row": "",
    "spliced_of_a_volatile_load": "",
    "spliced_of_a_volatile_start": "",
    "spliced_of_a_load_that_is_executed_sometimes": "",
    "spliced_across_a_store": "may write what %l has read",
    "spliced_across_a_masked_store": "may write what %l has read",
    "spliced_across_a_call": "may write what %l has read",
    "spliced_after_a_store_in_front": "may write what %first has read",
    "spliced_while_a_store_goes_behind": "may write what %l has read",
    "spliced_in_a_scope_that_the_store_may_enter": "may write what %l has read",
}


def source(name: str) -> str:
    text = (_PAIRS / f"{name}.ll").read_text()
    end = text.index("define void @tgt(")
    return normalise(text[:end] + text[text.index("\n}\n", end) + 3 :])


def scope(text: str) -> Scope:
    module = parse_module(text)
    (function,) = module.functions
    sizes = sizes_of(module.layout, module.lines)
    assert sizes is not None
    return Scope(module, function, sizes, contents(module), 128, lambda text: "")


def found(text: str) -> list[Opportunity]:
    return list(sites(scope(text)))


def loads(text: str, deadline: Deadline = NEVER, **options: int) -> Layers:
    asked = Options(**options)  # type: ignore[arg-type]
    return layering_of(text, asked, deadline).apply(Ledger())


def layering_of(text: str, options: Options, deadline: Deadline) -> Layering:
    clock = replace(clock_of(None), loads=deadline)
    return Layering(Run(parse_module(text), options, TOOLS, "x.ll", clock), Net(strict=True))


@pytest.mark.parametrize("name", _LOADS)
def test_a_splice_that_is_a_load(name: str) -> None:
    text = source(name)
    at = scope(text)
    lines = [(s.edits(at, iter(["x"])).lines[s.root.line][0], s.why_not) for s in sites(at)]
    assert [(line.split(" i64 ")[1], why) for line, why in lines] == [
        (f"{by}", "") for by in _LOADS[name]
    ]
    made = loads(text).module.text
    assert "shufflevector" not in made
    assert made.count(", align 1\n") >= len(_LOADS[name])


@pytest.mark.parametrize("name", _STAY)
def test_a_splice_that_stays(name: str) -> None:
    reasons = [s.why_not for s in found(source(name))]
    assert bool(reasons) is bool(_STAY[name])
    assert all(_STAY[name] in why for why in reasons), reasons
    assert loads(source(name)).kept == ()


def test_what_is_frozen_or_nontemporal_stays() -> None:
    text = source("spliced_by_one")
    at = text.index("  %s = shuffle")
    frozen = normalise(f"{text[:at]}  %f = freeze <16 x i8> %l\n{text[at:]}")
    (splice,) = found(frozen)
    assert splice.why_not == "%l is frozen"
    once = text.replace("ptr %a, align 1", "ptr %a, align 1, !nontemporal !0") + "\n!0 = !{i32 1}\n"
    (splice,) = found(normalise(once))
    assert splice.why_not == "%l is nontemporal"
    assert loads(frozen).kept == loads(normalise(once)).kept == ()


def test_what_only_splices_used_is_gone() -> None:
    made = loads(source("spliced_twice")).module.text
    assert "insertelement" not in made and "phi <16 x i8>" not in made and "load i8" not in made
    kept = source("spliced_by_one").replace(
        "  ret void", "  store <16 x i8> %c, ptr %q\n  ret void"
    )
    made = loads(normalise(kept)).module.text
    assert "phi <16 x i8>" in made and "insertelement" in made and "shufflevector" not in made


def test_a_limit_of_rewrites_and_of_time() -> None:
    text = (Path(__file__).parent / "opt" / "spliced.ll").read_text()
    told: list[list[str]] = []
    for limit in range(3):
        done = rewrite_module(text, Options(bisect_limit=limit), TOOLS)
        rows = [w for w in done.report.windows if w.place.root == "a"]
        told.append([w.by for w in done.report.rewritten])
        assert limit or not rows
    assert told == [
        [],
        [],
        ["carried-loads", "windows"],
    ]  # the loads are no gain without the window
    assert loads(source("spliced_by_one"), deadline_in(0.0)).planned == ()


def test_the_report_says_what_became_of_a_splice() -> None:
    text = (Path(__file__).parent / "opt" / "spliced.ll").read_text()
    done = rewrite_module(text, Options(), TOOLS, "x.ll")
    (row,) = (w for w in done.report.windows if w.place.root == "a")
    assert (row.outcome, row.place.where) == (Outcome.REWRITTEN, "a.c:4")
    assert row.after[1].startswith("%a = load <16 x i8>, ptr %isel.0, align 1")
    (average,) = (w for w in done.report.windows if w.place.root == "r")
    line = done.before.split("\n")[average.place.line - 1]
    assert line.startswith("  %r = trunc"), "lines are those of the module that was given"
    done = rewrite_module(source("spliced_across_a_store"), Options(), TOOLS, "x.ll")
    rows = [w for w in done.report.windows if w.place.root == "s"]
    assert any("may write what %l has read" in w.reason for w in rows)


def test_two_edits_are_one() -> None:
    """Lines changed and changed again, against the change of what the first one left."""
    rng = random.Random(5)
    text = source("spliced_twice")
    module = parse_module(text)
    (f,) = module.functions
    for _ in range(50):
        first = {k: _lines(rng, k) for k in range(1, f.last - f.first) if rng.random() < 0.3}
        one = edit(module, {f.name: Edits(first, {})}).split("\n")
        grown = sum(len(new) - 1 for new in first.values())
        size = f.last - f.first + grown
        then = {k: _lines(rng, 100 + k) for k in range(1, size) if rng.random() < 0.3}
        both = compose(Edits(first, {}), Edits(then, {}), f.last - f.first + 1)
        body = one[f.first : f.last + grown + 1]
        expected = [x for k, line in enumerate(body) for x in then.get(k, (line,))]
        expected = [*one[: f.first], *expected, *one[f.last + grown + 1 :]]
        assert edit(module, {f.name: both}).split("\n") == expected


def _lines(rng: random.Random, k: int) -> tuple[str, ...]:
    return tuple(f"  ; {k} {n}" for n in range(rng.choice((0, 1, 1, 2))))


@pytest.mark.parametrize(
    ("old", "new"), [("i64 -1", "i64 -2"), ("%a, i64", "%p, i64"), ("i64 -1", "i64 -1")]
)
def test_what_is_written_is_what_was_proved(old: str, new: str) -> None:
    at = scope(source("spliced_by_one"))
    names = at.function.view.free_names()
    edits = edits_of(at.module, at.function, [s.edits(at, names) for s in sites(at)])
    proved = parse_module(edit(at.module, {at.function.name: edits}))
    printed = parse_module(normalise(proved.text.replace(old, new)))
    (f,), (g,) = proved.functions, printed.functions
    pairing = Pairing(contents(proved), contents(printed))
    assert as_written(f, f, g, new_lines(edits, at.function, f), pairing) is (old == new)


@pytest.mark.parametrize(("kind", "same"), [("char", True), ("word", False)])
def test_metadata_is_what_it_says_not_its_number(kind: str, same: bool) -> None:
    """LLVM numbers metadata anew where a node that came before is used no more."""
    text = """define i8 @f(ptr %p) {
  %x = load i8, ptr %p, align 1, !tbaa !NUMBER
  ret i8 %x
}
!NUMBER = !{!NODE, !NODE, i64 0}
!NODE = !{!"KIND"}
"""

    def module(first: int, said: str) -> Module:
        own = text.replace("NUMBER", str(first)).replace("NODE", str(first + 1))
        return parse_module(own.replace("KIND", said))

    proved, printed = module(4, "char"), module(0, kind)
    (f,), (g,) = proved.functions, printed.functions
    pairing = Pairing(contents(proved), contents(printed))
    assert as_written(f, f, g, range(f.first, f.last), pairing) is same


def test_what_is_taken_back_is_not_done_again() -> None:
    layering = layering_of(source("spliced_by_one"), Options(), NEVER)
    ledger = Ledger()
    assert layering.apply(ledger).kept
    assert ledger.take_back([(Entry("carried-loads", "src"), Refusal("no gain"))])
    assert not ledger.take_back([(Entry("carried-loads", "src"), Refusal("another reason"))])
    layers = layering.apply(ledger)
    assert layers.kept == () and layers.module is layers.before
    assert [r.reason for p in layers.planned for r in p.reports()] == ["no gain"]


def test_what_was_planned_in_time_stays_when_something_else_is_taken_back() -> None:
    clock = deadline_in(60.0)
    layering = layering_of(source("spliced_by_one"), Options(), clock)
    assert layering.apply(Ledger()).kept
    object.__setattr__(clock, "at", 0.0)
    assert clock.is_over and layering.apply(Ledger()).kept
