"""CEGIS finds what is larger than what was enumerated, over the same operations."""

from __future__ import annotations

from isel.learn.deeper import deeper
from isel.learn.samples import Given
from isel.learn.term import read_term
from isel.learn.vocabulary import vocabulary
from isel.workers import Pool
from tests.learn.toy import LIBRARY

PLAIN = Given(("x", "y"))
MEAN = read_term("(extract 0 w (lshr (add (add (zext {2*w} x) (zext {2*w} y)) 3:{2*w}) 1:{2*w}))")


def found(depth: int) -> list[tuple[str, set[int]]]:
    some = deeper([MEAN], vocabulary(LIBRARY), PLAIN, depth, Pool(1))
    return [(c.left.text, {r.size for r in c.rights}) for c in some]


def test_a_mean_and_one_more_are_two_operations() -> None:
    assert not found(1)
    assert found(2) == [(MEAN.text, {2})]


def test_premises_are_those_of_the_leaves() -> None:
    shift, given = read_term("(ashr x 1:w)"), Given(("x",), ("0 <= lo(x)",))
    words = [w for w in vocabulary(LIBRARY) if w.op != "ashr"]
    assert not list(deeper([shift], words, Given(("x",)), 1, Pool(1)))
    (c,) = deeper([shift], words, given, 1, Pool(1))
    assert c.rights[0].text == "(lshr x 1:w)"
