"""Which names a result needs: each alone, and least sets of those that make up for each other."""

from __future__ import annotations

import pytest

from bench.ablation.needed import Names, Often, needed

_NAMES = tuple("abcdefghijklmnop")


def _tried(*sets: str, often: Often = lambda _: 1) -> tuple[tuple[Names, ...], int]:
    """Return what is found where it is worse without all of a set, and the tries."""
    tries = list[Names]()

    def worse(without: Names) -> bool:
        tries.append(without)
        return any(set(found) <= set(without) for found in sets)

    return needed(_NAMES, worse, often), len(tries)


def test_nothing_is_needed_after_one_try() -> None:
    assert _tried() == ((), 1)
    assert needed((), lambda _: True, lambda _: 1) == ()


def test_names_that_are_needed_alone() -> None:
    assert _tried("c") == ((("c",),), 9)
    assert _tried("c", "d", "p")[0] == (("c",), ("d",), ("p",))


@pytest.mark.parametrize("found", ["ap", "hi", "cgn", "abop", "dl", "fg"])
def test_names_that_make_up_for_each_other(found: str) -> None:
    assert _tried(found)[0] == (tuple(found),)


def test_a_name_alone_comes_before_sets_of_its_half() -> None:
    assert _tried("b", "cd")[0] == (("b",), ("c", "d"))
    assert _tried("b", "ap")[0] == (("b",),)


def test_what_is_needed_often_is_found_by_fewer_tries() -> None:
    assert _tried("a", often=lambda name: 20 if name == "a" else 1) == ((("a",),), 3)
    assert _tried("ap", often=lambda name: 20 if name == "a" else 1)[0] == (("a", "p"),)
