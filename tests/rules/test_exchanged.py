"""One operator or literal of a learned rule exchanged: it is not used, and a false one has a line
and a counterexample.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

from isel.egraph.graph import Graph
from isel.egraph.saturate import add, saturate
from isel.egraph.tables import rules
from isel.errors import SyntaxProblem
from isel.rules.books import RULED, book, books_of, definitions, holds
from isel.rules.parse import parse_rules
from isel.rules.proofs import proofs
from isel.rules.prove import claim
from isel.rules.record import every_rule, write_proofs
from isel.rules.small import check_small
from isel.rules.syntax import Rule
from tests.rules.learned import shelved

MUTANTS = 200
LIKE = (
    ("add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "andn"),
    ("smin", "smax", "umin", "umax", "sadd_sat", "uadd_sat", "ssub_sat", "usub_sat"),
    ("uavg", "srhadd", "uhadd", "shadd", "uhsub", "shsub", "uabsdiff", "sabsdiff"),
    ("eq", "ult", "ule", "slt", "sle"),
    ("zext", "sext"),
    ("not", "neg", "abs"),
    ("sat_s", "sat_su", "sat_u"),
    ("urshr", "srshr"),
)
PLACE = re.compile(
    r"(?<=\()(?:" + "|".join(x for some in LIKE for x in some) + r")\b|(?<![\w*])\d+"
)


def learnable() -> list[tuple[str, Rule]]:
    """Return rules that might have been learned, each with its text."""
    found = []
    for rule in every_rule():
        text = rule.text.split("\n")[0]
        plain = " => " in text and " for " not in text and " when " not in text
        plain = plain and PLACE.search(text.partition(" if ")[0]) is not None
        if plain and rule.file.split("/")[-1].removesuffix(".rules") in (*RULED, "common", "x86"):
            found.append((text.replace(f"{rule.name}:", f"learned.{rule.name}:", 1), rule))
    return found


def exchanged(text: str, rng: random.Random) -> str:
    """Return a rule with another operator or literal in one place of its terms."""
    name, _, rest = text.partition(": ")
    terms = rest.split(" if ")[0]
    place = rng.choice(list(PLACE.finditer(terms)))
    word = place[0]
    if word.isdigit():
        other = str(int(word) + rng.choice((1, 2)))
    else:
        other = rng.choice([x for some in LIKE if word in some for x in some if x != word])
    return f"{name}: {terms[: place.start()]}{other}{terms[place.end() :]}{rest[len(terms) :]}"


def mutants(rng: random.Random) -> Iterator[tuple[str, str]]:
    """Yield rules with what becomes of them, as long as they can be read."""
    rows = learnable()
    rng.shuffle(rows)
    for text, _ in rows:
        other = exchanged(text, rng)
        try:
            (rule,) = parse_rules(other, "f", definitions()).rules
            (known,) = parse_rules(text, "f", definitions()).rules
        except SyntaxProblem:
            continue
        if rule.text != known.text:
            yield text, other


def test_all_are_refused_before_anything_is_rewritten(tmp_path: Path) -> None:
    rng = random.Random(40)
    planted = tried = 0
    while planted < MUTANTS:
        folder = tmp_path / str(planted)
        folder.mkdir()
        pairs = list(mutants(rng))[: MUTANTS - planted]
        good = parse_rules("\n".join(text for text, _ in pairs), "f", definitions()).rules
        sizes = {r.name: proofs().known(named(r)) for r in good}
        texts = {
            "common.rules": "\n".join(other for _, other in pairs),
            "common.proved": write_proofs((r, sizes[r.name]) for r in good),
        }
        with shelved(folder, texts):
            tables = rules(books_of("x86"))
            some = [r.rule for table in tables for r in table.rules if r.rule.is_learned]
            assert len(some) == len(pairs)
            for rule in some:
                assert not any(holds(rule, s) for s in sizes[rule.name])
            for rule in book("learned/common").rules:
                for s in sorted(sizes[rule.name])[:1]:
                    found = claim(rule, s)
                    if found is not None:
                        g = Graph()
                        add(g, found.lefts[0], {})
                        saturate(g, tables=rules(books_of("x86")))
                        tried += 1
            assert not any(name.startswith("learned.") for name in proofs().used)
        planted += len(pairs)
    assert planted == MUTANTS and tried > MUTANTS // 2


def named(rule: Rule) -> Rule:
    name = rule.name.removeprefix("learned.")
    return next(r for _, r in learnable() if r.name == name)


def test_what_is_false_has_a_line_and_a_counterexample() -> None:
    rng = random.Random(41)
    told = [said_of(other) for _, other in list(mutants(rng))[:40]]
    false = [words for words in told if "is false where" in words]
    assert len(false) >= 20
    assert all("book.rules:3:1: " in x and re.search(r"\w = \d+", x) for x in false)


def said_of(text: str) -> str:
    """Return what is wrong with a rule of a book."""
    (rule,) = parse_rules(f"\n\n{text}", "book.rules", definitions()).rules
    try:
        check_small(rule)
    except SyntaxProblem as problem:
        return problem.message()
    return ""
