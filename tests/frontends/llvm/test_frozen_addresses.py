"""Pointers and strides that are loaded, as C's are out of a struct: one freeze behind each load, and
blocks behind a check of what they access then.
"""

from __future__ import annotations

import re

import pytest

from frontends.llvm.cuts.ways import settle
from frontends.llvm.passes.guess import guess_frozen
from frontends.llvm.transform import checked_blocks
from frontends.llvm.transform.frozen_addresses import freeze_loaded
from tests.frontends.llvm.test_checked_blocks import HEAD, RIGHT, _calls
from tests.frontends.llvm.test_follow import _text
from tests.frontends.llvm.transformed import change, do_the_same, scope_of, verifies, whys

KINDS = {"a": "ptr", "b": "ptr", "c": "ptr", "s": "i64"}


def loaded(text: str, *, to: str = "%k") -> str:
    """Return a function that loads what its arguments were out of memory."""
    given = "  %k = alloca [64 x i8], align 8\n"
    for n, (x, kind) in enumerate(KINDS.items()):
        given += f"  %{x}.at = getelementptr i8, ptr {to}, i64 {8 * n}\n"
        given += f"  store {kind} %{x}.0, ptr %{x}.at, align 8\n"
        given += f"  %{x} = load {kind}, ptr %{x}.at, align 8\n"
    head = re.sub(r"%(\w+)(?=[,)])", r"%\1.0", HEAD)
    return text.replace(HEAD, head).replace("entry:\n", f"entry:\n{given}")


@pytest.mark.parametrize("name", RIGHT)
def test_what_comes_out_of_memory(name: str) -> None:
    before = loaded(RIGHT[name])
    after = change(checked_blocks, before)
    assert "label %isel.unlikely." in after and "= freeze ptr %" in after
    assert do_the_same(before, after, list(_calls())[::5])


WRONG = {
    "a pointer is not frozen": (r"freeze ptr %c\b", "getelementptr i8, ptr %c, i64 0"),
    "a stride is not frozen": (r"freeze i64 %s\b", "add i64 %s, 0"),
    "another pointer": (r"freeze ptr %c\b", "freeze ptr %b"),
    "the check looks at another one": (r"ptrtoint ptr %isel\.\d+ to", "ptrtoint ptr %c to"),
    "it is frozen once more": (r"( store i32 %isel\.\d+, ptr )%isel\.\d+", r"\1%again"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_not_proved(name: str) -> None:
    before = loaded(RIGHT["squares"])
    after = change(checked_blocks, before)
    wrong = re.sub(*WRONG[name], after)
    wrong = wrong.replace("  br label %rows", "  %again = freeze ptr %c\n  br label %rows", 1)
    assert wrong != after and not verifies(before, wrong)
    assert verifies(before, after)


def test_what_is_loaded_in_the_block_stays() -> None:
    inner, text = "  %c = load ptr, ptr %c.at, align 8\n", loaded(RIGHT["squares"])
    moved = text.replace(inner, "").replace("  %xp0 =", f"{inner}  %xp0 =")
    assert moved != text and all(why for _, why in whys(checked_blocks, moved))


def test_what_seems_to_be_frozen() -> None:
    before = loaded(RIGHT["squares"])
    one, other = (scope_of(x).view for x in (before, change(checked_blocks, before)))
    assert guess_frozen(one, other) == ["a", "b", "c", "s"]
    assert guess_frozen(other, other) == guess_frozen(one, one) == []
    found = freeze_loaded(scope_of(before), "rows")
    assert found is not None and sorted(found.names) == ["a", "b", "c", "s"]


def test_a_function_that_freezes_does_the_same() -> None:
    text = loaded(RIGHT["in place"])
    function = settle(scope_of(text).function, ["c", "a", "s"])
    assert do_the_same(text, _text(text, function), list(_calls())[::9])
