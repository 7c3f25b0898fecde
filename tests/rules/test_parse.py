"""The text of rules: what is read, and the place and the words of each mistake."""

from __future__ import annotations

import pytest

from isel.errors import SyntaxProblem
from isel.rules.books import book, definitions
from isel.rules.number import Mistake, evaluate, read
from isel.rules.parse import parse_rules
from isel.rules.prove import claim
from isel.rules.record import SUBJECTS
from isel.rules.small import check_small

NARROW = "narrow.add: (extract 0 n (add x:w y:w)) => (add (extract 0 n x) (extract 0 n y))\n"

MISTAKES = {
    "no arrow": ("r: (add x:w y:w)\n", 1, 17, "expected '=>'"),
    "no name": ("(add x:w y:w) => x\n", 1, 1, "expected the name of a rule and ':'"),
    "unknown operation": ("r: (plus x:w y:w) => x\n", 1, 5, "unknown operation 'plus'"),
    "too few operands": ("r: (add x:w) => x\n", 1, 12, "expected a term"),
    "too many operands": ("r: (add x:w y:w z:w) => x\n", 1, 17, "expected ')'"),
    "unbound term": ("r: (add x:w y:w) => z\n", 1, 21, "unbound variable 'z'"),
    "unbound width": ("r: (neg x:w) => (extract 0 v x)\n", 1, 28, "unbound variable 'v'"),
    "unbound in a condition": ("r: (neg x:w) => x\n    if w < v\n", 2, 8, "unbound variable 'v'"),
    "no width": ("r: (add x y:w) => y\n", 1, 9, "'x' has no width"),
    "two widths": ("r: (add x:w x:v) => x\n", 1, 13, "'x' has a width already"),
    "an operation of several": (
        "r: (OP x:w y:w) => x\n    for OP in and, plus\n", 1, 5, "unknown operation 'plus'",
    ),
    "no list of operations": ("r: (OP x:w) => x\n    for OP\n", 1, 5, "unknown operation 'OP'"),
    "one operation for two": (
        "r: (OP (EXT v x:w)) => x\n    for OP EXT in neg zext, not\n", 2, 19, "expected 2 operations",
    ),
    "twice": ("r: (neg (neg x:w)) => x\nr: (not (not x:w)) => x\n", 2, 1, "another rule 'r'"),
    "no term": ("r: (neg x:w) => x\n    if lo(y) > 0\n", 2, 8, "no term 'y'"),
    "no literal": ("r: (neg x:w) => x\n    if s(x) > 0\n", 2, 8, "no literal 'x'"),
    "no number": ("r: (neg x:w) => x\n    if w <\n", 2, 11, "an integer expression that ends"),
    "no power": ("r: (neg x:w) => x\n    if 3**w > 1\n", 2, 9, "a power of something else than 2"),
    "no function": ("r: (neg x:w) => x\n    if f(w) > 1\n", 2, 8, "unknown function 'f'"),
    "range of a number": ("r: (neg x:w) => x\n    if lo(3) > 0\n", 2, 8, "'lo' of something else"),
    "open brace": ("r: (neg x:w) => {w + 1\n", 1, 17, "'{' without '}'"),
    "defined already": ("smin: (smin a:w b:w) <=> a\n", 1, 7, "'smin' is defined already"),
    "a wide range, the wrong way": (
        "r: (neg x:w) => x\n    if lo(x) < 0\n", 2, 8, "a condition that may hold for a range",
    ),
    "fold on the left": ("r: (fold t 0:w i 3 (neg x:w)) => x\n", 1, 4, "a fold on the left"),
    "text after it": ("r: (neg x:w) => x x\n", 1, 19, "text after the term"),
}  # fmt: skip

FALSE = {
    "widths": ("r: (neg x:w) => (zext {w+1} x)\n", "impossible width: 1 bits are not 2"),
    "no width fits": ("r: (neg x:w) => x\n    if w > 9\n", "impossible width: none up to 8"),
    "never": ("r: (lshr x:w C:w) => x\n    if 0 < C, C < 0\n", "the conditions never hold"),
    "exponent": ("r: (lshr x:w C:w) => {2**C}:w\n    if 2**C < 3\n", ""),
    "wrong": (
        "# a comment\nr: (sub x:w y:w) => (sub y x)\n",
        "f.rules:2:1: error: 'r' is false where w = 2, x = 1, y = 0\n",
    ),
    "a missing condition": (
        "r: (lshr (shl x:w C:w) C) => x\n    if C < w\n", "'r' is false where w = 2, ",
    ),
    "an operand too many": (
        "op: (op a:w b:w) <=> (sub a b) commutes\n", "'op' is false where w = 2, ",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_has_a_place_and_says_what_is_wrong(name: str) -> None:
    text, line, column, what = MISTAKES[name]
    with pytest.raises(SyntaxProblem) as caught:
        parse_rules(text, "f.rules", definitions())
    assert caught.value.message().startswith(f"f.rules:{line}:{column}: error: {what}")


@pytest.mark.parametrize("name", FALSE)
def test_a_rule_that_is_false_has_a_counterexample(name: str) -> None:
    text, what = FALSE[name]
    (rule,) = parse_rules(text, "f.rules", definitions()).rules
    with pytest.raises(SyntaxProblem) as caught:
        check_small(rule)
    assert what in caught.value.message()


def test_names_of_files_and_rules_are_one_each() -> None:
    rules = [r for subject in SUBJECTS for r in book(subject).rules]
    assert len({r.name for r in rules}) == len(rules) > 50


def test_what_a_rule_says_includes_its_definitions() -> None:
    """A definition that changes changes the text of what uses it, so that it is proved again."""
    (plain,) = parse_rules(
        "r: (neg (smin x:w y:w)) => (neg (smin y x))\n", "f", definitions()
    ).rules
    assert definitions()["smin"].text in plain.text
    (narrow,) = parse_rules(NARROW, "f").rules
    assert narrow.text == NARROW.strip()


def test_a_rule_for_several_operations_is_one_of_each() -> None:
    text = NARROW.replace("narrow.add", "r").replace("add", "OP").strip()
    found = parse_rules(f"{text}\n    for OP in add, smin\n    if n < w\n", "f", definitions())
    add, smin = found.rules
    assert (add.name, smin.name) == ("r.add", "r.smin")
    assert smin.text == f"{add.text}\n{definitions()['smin'].text}"
    for rule, op in ((add, "add"), (smin, "smin")):
        (alone,) = parse_rules(f"{text} if n < w\n".replace("OP", op), "f", definitions()).rules
        assert claim(rule, (4, 8)) == claim(alone, (4, 8))


NUMBERS = {
    "1 + 2*3": 7, "-2**3": -8, "2**(w - 1) - 1": 127, "w//2 - C": -1, "natural(w + 1)": 16,
    "0 < C < w": 1, "w < C or C == 5": 1, "w < C and C == 5": 0, "log2(w)": 3, "s(C)": -3,
}  # fmt: skip


@pytest.mark.parametrize("text", NUMBERS)
def test_integer_expressions(text: str) -> None:
    assert evaluate(read(text), {"w": 8, "C": 5, "s(C)": -3}) == NUMBERS[text]


@pytest.mark.parametrize("text", ["", "1 +", "w x", "(w", "w ? 1", "lo(", "7(w)", "2**"])
def test_what_is_no_integer_expression(text: str) -> None:
    with pytest.raises(Mistake):
        read(text)
