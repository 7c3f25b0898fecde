"""Graphs of equal terms: nested operations are found whatever their spelling, and what is bad input ends within its budget."""

from __future__ import annotations

import re

import pytest

from isel.egraph.extract import Extraction
from isel.egraph.graph import Contradiction, Graph
from isel.egraph.limits import NEVER, ROUNDS, SPELLING_ROUNDS
from isel.egraph.outline import row
from isel.egraph.saturate import add, saturate
from isel.egraph.tables import Ready, Table, rules
from isel.ir.domain import literal
from isel.ir.expr import Expr, leaves
from isel.ir.ops import OPS, Attr
from isel.ir.text import parse
from isel.rules.books import every_learned
from isel.rules.parse import parse_rules

HALF = "(extract 0 16 (ashr (sub (sext 32 p:16) (sext 32 q:16)) 1:32))"
SPELLINGS = {
    "half of a difference": (
        HALF,
        "(extract 0 16 (lshr (sub (sext 32 p:16) (sext 32 q:16)) 1:32))",
        "(sub (ashr (xor p:16 q:16) 1:16) (and (not p:16) q:16))",
        "(extract 0 16 (ashr (add (add (sext 32 p:16) (not (sext 32 q:16))) 1:32) 1:32))",
        "(sub (sub (ashr p:16 1:16) (ashr q:16 1:16)) (and (and (not p:16) q:16) 1:16))",
        "(let ((n (not q:16))) (sub (or p:16 n) (ashr (xor p:16 n) 1:16)))",
    ),
    "a Q15 product": (
        "(extract 0 16 (ashr (add (mul (sext 32 a:16) (sext 32 b:16)) 16384:32) 15:32))",
        "(extract 0 16 (ashr (add (ashr (mul (sext 32 a:16) (sext 32 b:16)) 14:32) 1:32) 1:32))",
        "(extract 0 16 (lshr (add (shl (mul (sext 32 a:16) (sext 32 b:16)) 1:32) 32768:32) 16:32))",
        (
            "(let ((p (mul (sext 32 a:16) (sext 32 b:16))))"
            " (extract 0 16 (add (ashr p 15:32) (and (lshr p 14:32) 1:32))))"
        ),
    ),
    "an average": (
        "(extract 0 8 (lshr (add (add (zext 16 a:8) (zext 16 b:8)) 1:16) 1:16))",
        "(extract 0 8 (lshr (sub (zext 16 a:8) (not (zext 16 b:8))) 1:16))",
        "(sub (or a:8 b:8) (lshr (xor a:8 b:8) 1:8))",
    ),
    "an average rounded down": (
        "(extract 0 8 (lshr (add (zext 16 a:8) (zext 16 b:8)) 1:16))",
        "(add (and a:8 b:8) (lshr (xor a:8 b:8) 1:8))",
        "(add (add (lshr a:8 1:8) (lshr b:8 1:8)) (and (and a:8 b:8) 1:8))",
        "(let ((x (xor a:8 b:8))) (sub (or a:8 b:8) (add (lshr x 1:8) (and x 1:8))))",
    ),
    "a shift that rounds": (
        "(extract 0 8 (lshr (add (zext 16 a:8) 4:16) 3:16))",
        "(add (lshr a:8 3:8) (and (lshr a:8 2:8) 1:8))",
        "(lshr (add (lshr a:8 2:8) 1:8) 1:8)",
    ),
    "a saturating sum": (
        "(let ((s (add (zext 16 a:8) (zext 16 b:8)))) (extract 0 8 (ite (ult s 255:16) s 255:16)))",
        "(add a:8 (ite (ult b:8 (not a:8)) b:8 (not a:8)))",
    ),
}
SAME = {
    "half of a difference of words": (
        "(extract 0 32 (ashr (sub (zext 64 x:32) (zext 64 y:32)) 1:64))",
        "(sub (lshr (xor x:32 y:32) 1:32) (and (not x:32) y:32))",
    ),
    "a shift of words that rounds": (
        "(extract 0 32 (ashr (add (sext 64 x:32) 4:64) 3:64))",
        "(ashr (add (ashr x:32 2:32) 1:32) 1:32)",
    ),
    "room for a sum": (
        "(let ((s (add (zext 64 x:32) (zext 64 y:32)))) (extract 0 32 (ite (ult s 4294967295:64) s 4294967295:64)))",
        "(let ((n (not y:32))) (add y:32 (ite (ult x:32 n) x:32 n)))",
    ),
    "a digit": (
        "(and (slt (add (zext 32 x:8) 4294967248:32) 10:32) (slt 47:32 (zext 32 x:8)))",
        "(and (slt (add (zext 64 x:8) 18446744073709551568:64) 10:64) (slt 47:64 (zext 64 x:8)))",
        "(ult (add x:8 208:8) 10:8)",
    ),
    "a letter, signed": (
        "(and (slt 64:32 (sext 32 x:8)) (slt (sext 32 x:8) 91:32))",
        "(and (slt 64:8 x:8) (slt x:8 91:8))",
        "(ult (sub x:8 65:8) 26:8)",
    ),
    "one of two masks": (
        "(ite (slt x:16 3:16) (ite (eq y:16 7:16) 255:8 0:8) 0:8)",
        "(ite (and (slt x:16 3:16) (eq y:16 7:16)) 255:8 0:8)",
    ),
    "equal words": (
        "(eq (sext 64 x:16) (sext 64 y:16))",
        "(eq (zext 32 x:16) (zext 32 y:16))",
        "(eq x:16 y:16)",
    ),
    "a clamp behind a sum": (
        "(let ((s (ashr (sext 32 x:16) 3:32)) (l 4294967285:32)) (add (ite (slt s l) l s) 11:32))",
        "(let ((s (add (ashr (sext 32 x:16) 3:32) 11:32))) (ite (slt s 0:32) 0:32 s))",
    ),
    "a clamp behind a sum of low parts": (
        (
            "(let ((s (ashr (sext 32 x:16) 3:32)) (l 4294967285:32))"
            " (add (extract 0 8 (ite (slt s l) l s)) 11:8))"
        ),
        (
            "(let ((s (add (ashr (sext 32 x:16) 3:32) 11:32)))"
            " (extract 0 8 (ite (slt s 0:32) 0:32 s)))"
        ),
    ),
    "a factor that fits is as wide as the other": (
        ("(extract 15 16 (add (mul (sub (zext 32 x:8) 128:32) (sext 32 k:16)) 16384:32))"),
        (
            "(extract 15 16 (add (mul (sext 32 (sub (zext 16 x:8) 128:16)) (sext 32 k:16)) 16384:32))"
        ),
    ),
    "a blend over 255": (
        (
            "(let ((y (zext 32 y:8)) (t (add (add (mul (zext 32 x:8) y) (mul (zext 32 z:8) (sub 255:32 y))) 128:32)))"
            " (extract 8 8 (add t (lshr t 8:32))))"
        ),
        (
            "(let ((y (zext 64 y:8)) (t (add (add (mul (zext 64 x:8) y) (mul (zext 64 z:8) (sub 255:64 y))) 128:64)))"
            " (extract 8 8 (add t (ashr t 8:64))))"
        ),
    ),
    "a blend over 256": (
        (
            "(let ((y (zext 64 y:8)))"
            " (lshr (add (mul (zext 64 x:8) y) (mul (zext 64 z:8) (sub 256:64 y))) 8:64))"
        ),
        (
            "(let ((y (zext 16 y:8)))"
            " (zext 64 (lshr (add (mul (zext 16 x:8) y) (mul (zext 16 z:8) (sub 256:16 y))) 8:16)))"
        ),
    ),
    "both halves of a product": (
        "(mul (sext 32 x:16) (sext 32 y:16))",
        "(concat (extract 16 16 (mul (sext 32 x:16) (sext 32 y:16))) (mul y:16 x:16))",
    ),
    "both halves of a product without signs": (
        "(mul (zext 32 x:16) (zext 32 y:16))",
        "(concat (extract 16 16 (mul (zext 32 y:16) (zext 32 x:16))) (mul x:16 y:16))",
    ),
    "both halves of a product by a literal": (
        "(ashr (add (mul (sext 32 x:16) 11585:32) 8192:32) 14:32)",
        (
            "(ashr (add (concat (extract 16 16 (mul (sext 32 x:16) 11585:32)) (mul x:16 11585:16))"
            " 8192:32) 14:32)"
        ),
    ),
    "a factor of another scale": (
        "(extract 0 16 (ashr (add (mul (sext 32 x:16) 11585:32) 8192:32) 14:32))",
        "(extract 1 16 (add (lshr (mul (sext 32 x:16) 23170:32) 14:32) 1:32))",
    ),
    "a negative factor": (
        "(extract 0 16 (ashr (mul (sext 32 x:16) 4294967293:32) 8:32))",
        "(extract 16 16 (mul (sext 32 x:16) 4294966528:32))",
    ),
}
# Bits 7 of bytes are $o, the others $a.
MASKED = {
    "add": "(xor (add (and x $a) (and y $a)) (and (xor x y) $o))",
    "sub": "(xor (xor (sub (or x $o) (and y $a)) (and (xor x y) $o)) $o)",
    "uavg": "(sub (or x y) (and (lshr (xor x y) 1) $a))",
}


def _masked(text: str, width: int, bits: int) -> str:
    """Return an operation of lanes of so many bits in a word, by masks."""
    top = sum(1 << k for k in range(bits - 1, width, bits))
    named = text.replace("$o", str(top)).replace("$a", str((1 << width) - 1 - top))
    return re.sub(r"\b(x|y|\d+)\b", rf"\1:{width}", named)


NESTS = {
    "averages of averages": (
        (
            "(let ((x (lshr (add (add (zext 16 a:8) (zext 16 b:8)) 1:16) 1:16))"
            " (y (lshr (add (add (zext 16 c:8) (zext 16 d:8)) 1:16) 1:16)))"
            " (extract 0 8 (lshr (add (add x 1:16) y) 1:16)))"
        ),
        "uavg(uavg(a, b), uavg(c, d))",
    ),
    "a product of halves": (
        f"(extract 0 16 (ashr (add (mul (sext 32 {HALF}) (sext 32 r:16)) 16384:32) 15:32))",
        "smulhrs(r, shsub(p, q))",
    ),
    "bytes of a word": (
        "(or (add (and x:16 65280:16) (and y:16 65280:16)) (and (add x:16 y:16) 255:16))",
        "lanes_add(8, x, y)",
    ),
    "every other byte": (
        (
            "(or (and (add (and x:32 16711935:32) (and y:32 16711935:32)) 16711935:32)"
            " (and (add (and x:32 4278255360:32) (and y:32 4278255360:32)) 4278255360:32))"
        ),
        "lanes_add(8, x, y)",
    ),
    "sizes of two in a word": (
        (
            "(let ((m (mul (and (lshr x:32 15:32) 65537:32) 65535:32)))"
            " (add (xor (add x:32 m) m) x:32))"
        ),
        "(x + xor((x + lanes_signs(16, x)), lanes_signs(16, x)))",
    ),
} | {
    f"{op} of {width // bits} in a word": (_masked(text, width, bits), f"lanes_{op}({bits}, x, y)")
    for op, text in MASKED.items()
    for width, bits in ((32, 16), (32, 8), (64, 8))
}


def words(op: str, attr: Attr, width: int, widths: tuple[int, ...], _: object) -> int:
    native = all(w in (1, 8, 16, 32, 64) for w in (width, *widths))
    return 2 + (op in OPS) if native else NEVER


def settled(text: str) -> tuple[Graph, int, Extraction]:
    e = parse(text)
    g = Graph()
    root = add(g, e, {})
    assert not saturate(g).why
    found = Extraction(g, words, {repr(x): x for x in leaves(e)})
    assert found.choose(root) < NEVER
    return g, root, found


@pytest.mark.parametrize("texts", [*SPELLINGS.values(), *SAME.values()], ids=[*SPELLINGS, *SAME])
def test_one_class_whatever_the_spelling(texts: tuple[str, ...]) -> None:
    first, *others = map(parse, texts)
    for other in others:
        g, done = Graph(), dict[Expr, int]()
        a, b = add(g, first, done), add(g, other, done)
        saturate(g, (a, b))
        assert g.find(a) == g.find(b)


def test_a_learned_rule_makes_one_class_of_two() -> None:
    choice = parse("(let ((s (add a:8 b:8))) (ite (ult s a:8) 255:8 s))")
    room = parse(SPELLINGS["a saturating sum"][1])
    for books, same in (((), False), (every_learned(), True)):
        g, done = Graph(), dict[Expr, int]()
        a, b = add(g, choice, done), add(g, room, done)
        saturate(g, (a, b), tables=rules(books))
        assert (g.find(a) == g.find(b)) == same


@pytest.mark.parametrize("name", NESTS)
def test_nested_operations_are_lifted(name: str) -> None:
    text, wanted = NESTS[name]
    _, root, found = settled(text)
    assert found.words(root) == wanted


def test_the_same_graph_whatever_was_done_before() -> None:
    text = NESTS["averages of averages"][0]
    first, second = settled(text)[0], settled(text)[0]
    assert first.op == second.op and first.kids == second.kids and first.steps == second.steps


def test_a_graph_ends_at_its_budget() -> None:
    e = parse(NESTS["averages of averages"][0])
    g = Graph(60)
    add(g, e, {})
    found = saturate(g)
    assert found.why == "more than 60 nodes" and len(g.op) <= 60 and found.rounds <= 2 * ROUNDS


def test_facts_that_contradict_end_it() -> None:
    g = Graph()
    x = add(g, parse("(add a:8 1:8)"), {})
    g.assume(x, literal(3, 8))
    with pytest.raises(Contradiction):
        g.assume(x, literal(4, 8))


def test_widths_without_instructions_have_no_price() -> None:
    e = parse("(add a:9 b:9)")
    g = Graph()
    root = add(g, e, {})
    saturate(g)
    assert Extraction(g, words, {repr(x): x for x in leaves(e)}).choose(root) == NEVER


def test_every_rule_is_compiled() -> None:
    for table in rules(every_learned()):
        for one in table.rules:
            assert all(callable(x) for x in (one.match, one.make, one.again))


@pytest.mark.parametrize(
    ("texts", "why"),
    [
        (
            ("(lshr x:w y:w) => (lshr (not x) y)", "(not x:w) => (add x 1:w)"),
            "not settled after 24 rounds",
        ),
        (("(and x:w y:w) => (and (mul x x) (mul y x))",), "more than 200 nodes"),
        (("(and x:w y:w) => (or x y)", "(or x:w y:w) => (and x y)"), ""),
    ],
    ids=["without end", "larger and larger", "undone"],
)
def test_rules_that_grow_end_within_the_budget(
    texts: tuple[str, ...], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever rules are given: rounds and nodes are limited, and the report says which limit."""
    book = parse_rules("\n".join(f"r{k}: {t}" for k, t in enumerate(texts)), "r.rules")
    some = [Ready("", row(r)) for r in book.rules]
    for ready, r in zip(some, book.rules, strict=True):
        ready.rule = r
    monkeypatch.setattr("isel.egraph.saturate.holds", lambda rule, sizes: True)
    g = Graph(200)
    add(g, parse("(and (lshr a:8 c:8) b:8)"), {})
    found = saturate(g, tables=(Table(some), Table(())))
    assert found.why == why and found.rounds <= ROUNDS + SPELLING_ROUNDS and len(g.op) <= 200


def test_what_operands_share_counts_once_between_a_class_and_them() -> None:
    """A distance is written out over its operands three times as dear as one operation."""
    e = parse("(let ((x (mul a:8 b:8)) (y (mul c:8 d:8))) (xor (and x y) (or x y)))")
    g, done = Graph(), dict[Expr, int]()
    root = add(g, e, done)
    found = Extraction(g, lambda *_: 5, {repr(x): x for x in leaves(e)})
    assert found.choose(root) == 5 * 5
    kids = tuple(g.find(done[x]) for x in done if x.op == "mul")
    assert found.between(g.find(root), kids) == 3 * 5 < found.cost[g.find(root)] - 2 * 5
