"""Rules applied, text in and text out; each is seen at work."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from isel.egraph.terms import Ask, Fixpoint, RuleSet
from isel.ir.build import band, make, sext, zext
from isel.ir.expr import Expr, const, postorder, show, var
from isel.ir.ops import WidthError
from isel.ir.text import parse
from isel.rules.books import book, definitions
from isel.rules.make import maker
from isel.rules.parse import parse_rules
from isel.rules.proofs import Proofs, proofs, shipped
from isel.rules.recognise import recognised
from isel.rules.record import every_rule
from isel.rules.syntax import Apply, Rule

GRAPHS = ("axioms.rules", "spellings.rules")
AGREED: dict[str, Ask] = {
    "offered": lambda e: True,
    "narrows": lambda whole, part: True,
    "fixed": lambda e: True,
}
# Rules of graphs of equal terms are seen firing in tests/egraph.
REWRITES = [
    r for r in every_rule() if not (r.defines or r.is_learned or r.file.split("/")[-1] in GRAPHS)
]
DEFINITIONS = [r for r in every_rule() if r.defines]


def settled(e: Expr) -> Expr:
    """Return a term made again by the simplifying constructors."""
    done: dict[Expr, Expr] = {}
    for x in postorder([e]):
        done[x] = make(x.op, tuple(done[a] for a in x.args), x.attr) if x.args else x
    return done[e]


def rewritten(subject: str, text: str) -> str:
    e = RuleSet(book(subject).rules, AGREED).first(settled(parse(text)))
    return "" if e is None else show(e)


TABLE = {
    "a low product": (
        "narrow", "(extract 0 16 (mul (sext 32 x:16) y:32))",
        "(mul x:16 (extract 0 16 y:32))",
    ),
    "a product's high half": (
        "narrow", "(lshr (mul (zext 32 x:16) (zext 32 y:16)) 19:32)",
        "(zext 32 (lshr (extract 16 16 (mul (zext 32 x:16) (zext 32 y:16))) 3:16))",
    ),
    "not as far": ("narrow", "(lshr (mul (zext 32 x:16) (zext 32 y:16)) 15:32)", ""),
    "a low part of what fits in half the width, shifted": (
        "narrow", "(extract 0 8 (lshr (add (mul (zext 32 x:8) 150:32) 128:32) 8:32))",
        "(extract 0 8 (lshr (extract 0 16 (add (mul (zext 32 x:8) 150:32) 128:32)) 8:16))",
    ),
    "a slice of the low half": (
        "narrow", "(extract 0 8 (ashr (add (mul (zext 32 x:8) 65498:32) y:32) 8:32))",
        "(extract 0 8 (lshr (extract 0 16 (add (mul (zext 32 x:8) 65498:32) y:32)) 8:16))",
    ),
    "one that does not fit": (
        "narrow", "(extract 0 8 (lshr (add (mul (zext 32 x:8) 257:32) 128:32) 9:32))", "",
    ),
    "bounds in bytes": (
        "clamp", "(let ((m (ite (slt x:32 250:32) x:32 250:32))) (extract 0 8 (ite (slt m 3:32) 3:32 m)))",
        ("(let ((a (ite (slt x:32 255:32) x:32 255:32)) (b (extract 0 8 (ite (slt a 0:32) 0:32 a)))"
        " (c (ite (ult b 250:8) b 250:8))) (ite (ult c 3:8) 3:8 c))"),
    ),
    "a saturation stays": (
        "clamp", "(let ((m (ite (slt x:32 255:32) x:32 255:32))) (extract 0 8 (ite (slt m 0:32) 0:32 m)))", "",
    ),
    "bounds that may cross": (
        "clamp", "(ite (slt x:32 (zext 32 l:8)) l:8 (extract 0 8 (ite (slt x:32 (zext 32 h:8)) x:32 (zext 32 h:8))))",
        ("(let ((a (ite (slt x:32 255:32) x:32 255:32)) (b (extract 0 8 (ite (slt a 0:32) 0:32 a))))"
        " (ite (ult b l:8) l:8 (ite (ult b h:8) b h:8)))"),
    ),
    "a clamp behind which a zero point is added": (
        "clamp", ("(let ((x (zext 32 s:16)) (m (ite (slt x 129:32) x 129:32)))"
        " (add (extract 0 8 (ite (slt m -118:32) -118:32 m)) 121:8))"),
        ("(let ((x (add (zext 32 s:16) 121:32)) (m (ite (slt x 250:32) x 250:32)))"
        " (extract 0 8 (ite (slt m 3:32) 3:32 m)))"),
    ),
    "a zero point behind a shift": (
        "clamp", "(add (ashr (add (sext 32 x:16) 8192:32) 14:32) 121:32)",
        "(ashr (add (sext 32 x:16) 1990656:32) 14:32)",
    ),
    "a factor of another scale": (
        "spellings", "(extract 14 16 (add (mul (sext 30 x:16) 11585:30) 8192:30))",
        "(extract 1 16 (add (lshr (mul (sext 32 x:16) 23170:32) 14:32) 1:32))",
    ),
    "a negative factor": (
        "spellings", "(extract 8 16 (mul (sext 24 x:16) 16777213:24))",
        "(extract 16 16 (mul (sext 32 x:16) 4294966528:32))",
    ),
    "a factor that does not fit": (
        "spellings", "(extract 14 16 (add (mul (sext 30 x:16) 16384:30) 8192:30))", "",
    ),
    "a width without instructions": ("spellings", "(extract 3 9 (add (zext 12 x:9) 4:12))", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLE)
def test_text_in_text_out(name: str) -> None:
    subject, before, after = TABLE[name]
    found = rewritten(subject, before)
    assert (found and show(parse(found))) == (after and show(settled(parse(after))))


def operands(name: str, width: int) -> Iterator[Expr]:
    """Yield terms of a width of which little and of which more is known; all but the first are
    those of any name.
    """
    yield var(name, width)
    yield var("p", width)
    yield const((1 << (width // 2)) - 1, width)
    yield band(var(name, width), const(3, width))
    for narrow in (width // 2, width // 4):
        if narrow:
            yield zext(var(f"q{narrow}", narrow), width)
            yield sext(var(f"q{narrow}", narrow), width)


def instances(rule: Rule) -> Iterator[Expr]:
    """Yield left sides of a rule, as terms come: made by the constructors that simplify."""
    left = maker(rule, rule.left)
    for sizes in sorted(proofs().known(rule)):
        named = dict(zip(rule.sizes, sizes, strict=True))
        given = [list(operands(n, rule.width_of(n).value(named))) for n in rule.terms]
        widths = [rule.width_of(n).value(named) for n in rule.literals]
        numbers = [[const(v, w) for v in (w - 1, w // 2, 1)] for w in widths]
        for terms in product(*given, *numbers):
            try:
                yield left(sizes, terms)
            except WidthError:
                continue


@pytest.mark.parametrize("rule", REWRITES, ids=lambda r: r.name)
def test_each_rule_is_seen_firing(rule: Rule) -> None:
    known = shipped()
    used = RuleSet((rule,), AGREED, known)
    assert any(used.first(e) is not None for e in instances(rule))
    assert known.used == {rule.name: 1} and not known.found


@pytest.mark.parametrize("rule", DEFINITIONS, ids=lambda r: r.name)
def test_each_derived_operation_is_recognised(rule: Rule) -> None:
    assert isinstance(rule.left, Apply)
    op = rule.left.op
    for sizes in [s for s in sorted(proofs().known(rule)) if min(s) > 3 and max(s) <= 64]:
        named = dict(zip(rule.sizes, sizes, strict=True))
        args = tuple(var(n, rule.width_of(n).value(named)) for n in rule.terms)
        e = maker(rule, rule.right)(sizes, args)
        if not e.args:
            continue
        found = list(recognised(e, (op,)))
        if len(sizes) == 1 or sizes[0] < sizes[1]:
            wanted = [args, args[::-1]] if rule.commutes else [args]
            assert len(found) == 1 and found[0].op == op and found[0].args in wanted, sizes


def test_what_is_only_like_a_derived_operation_is_none() -> None:
    x, y = var("x", 16), var("y", 16)
    e = make("ite", (make("slt", (x, y)), x, make("add", (y, const(1, 16)))))
    assert not [*recognised(e, tuple(definitions()))] and not [*recognised(x, ("abs",))]


def test_a_literal_operand_is_recognised() -> None:
    e = parse("(ite (ult x:8 5:8) 0:8 (add x:8 251:8))")
    assert [(u.op, [show(a) for a in u.args]) for u in recognised(e, tuple(definitions()))] == [
        ("usub_sat", ["x:8", "5:8"])
    ]


def test_all_alternatives_are_yielded() -> None:
    text = "r: (add x:w x) => (shl x 1:w)\nq: (add x:w y:w) => (sub x (neg y))\n"
    rules = parse_rules(text, "f", definitions()).rules
    e = parse("(add x:8 y:8)")
    found = [(r.name, show(made)) for r, made in RuleSet(rules, known=Proofs({})).every(e)]
    assert found == [("q", "(sub x:8 (neg y:8))"), ("q", "(sub y:8 (neg x:8))")]
    assert next(RuleSet(rules, known=Proofs({})).every(parse("(add x:8 x:8)")))[0].name == "r"


def test_rules_are_applied_until_none_fits() -> None:
    text = "r: (add x:w (neg y:w)) => (sub x y)\nq: (sub x:w (neg y:w)) => (add x y)\n"
    rules = RuleSet(parse_rules(text, "f").rules, known=Proofs({}))
    e = parse("(mul (add x:8 (neg (add y:8 (neg z:8)))) (sub x:8 (neg y:8)))")
    assert Fixpoint(rules.first)(e) is settled(parse("(mul (sub x:8 (sub y:8 z:8)) (add x:8 y:8))"))


def test_rules_that_undo_each_other_come_to_an_end() -> None:
    text = "r: (add x:w y:w) => (sub x (neg y))\nq: (sub x:w (neg y:w)) => (add x y)\n"
    rules = RuleSet(parse_rules(text, "f").rules, known=Proofs({}))
    assert Fixpoint(rules.first)(parse("(add x:8 y:8)")).width == 8
