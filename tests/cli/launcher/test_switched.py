"""Modules of which some functions are as they were."""

from __future__ import annotations

from pathlib import Path

import pytest

from isel.cli.launcher import switched
from isel.cli.launcher.rewriter import Order, Result
from isel.cli.launcher.switched import WHOLE, Module, with_function

ORDER = Order("a.ll", "a.out", "a.c", 19, 3, "", output="/x/a.o")
F, G = (f"define void @{n}() #0 {{{{\n  {{}}\n  ret void\n}}}}\n" for n in ("f", '"g h"'))
HEAD, TAIL = "declare void @known()\n", "\nattributes #0 = { nounwind }\n"
TEXT = HEAD + F.format("f1") + G.format("g1") + TAIL
NEW = HEAD + F.format("f2") + G.format("g2") + "declare void @new()\n\n" + TAIL
HALF = HEAD + F.format("f1") + G.format("g2") + "declare void @new()\n\n" + TAIL


def module(new: str | bytes) -> Module:
    """Return a module of two functions."""
    return Module(ORDER, TEXT, Result(2, 2, 2, new))


@pytest.mark.parametrize(
    ("new", "names"),
    [
        (NEW, ["f", '"g h"']),
        (HALF, ['"g h"']),
        (b"object", [WHOLE]),
        (NEW.replace("nounwind", "cold"), [WHOLE]),  # the numbers of its attributes are others
    ],
)
def test_which_functions_are_rewritten(new: str | bytes, names: list[str]) -> None:
    assert module(new).functions() == names


@pytest.mark.parametrize(
    ("new", "off", "instead"),
    [
        (NEW, [], None),
        (NEW, ["f"], HALF),
        (NEW, ["f", '"g h"'], ""),
        (HALF, ['"g h"'], ""),
        (b"object", [], None),
        (b"object", [WHOLE], ""),
    ],
)
def test_what_is_instead(new: str | bytes, off: list[str], instead: str | None) -> None:
    assert module(new).without(off) == instead


def test_a_function_brings_what_it_declares() -> None:
    assert with_function(TEXT, NEW, "f") == TEXT.replace("f1", "f2") + "\ndeclare void @new()\n"
    assert with_function(NEW, TEXT, "f") == NEW.replace("f2", "f1") + "\n"


def test_a_build_has_what_the_folder_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def decide(order: Order, text: str) -> tuple[Result, bool]:
        asked.append(text)
        return Result(2, 2, 2, "" if text == "scalar" else NEW), False

    monkeypatch.setattr(switched, "decide", decide)
    monkeypatch.setenv("ISEL_BISECT", str(tmp_path))
    assert switched.choose(ORDER, TEXT) == (Result(2, 2, 2, NEW), False)
    assert switched.choose(ORDER, TEXT) == (Result(2, 2, 2, NEW), True)
    assert list(switched.modules_in(str(tmp_path))) == [module(NEW)]
    for instead, count in ((HALF, 2), ("", 0)):
        switched.keep(str(tmp_path), module(NEW)._replace(instead=instead))
        assert switched.choose(ORDER, TEXT) == (Result(2, 2, count, instead), True)
    # what was not seen so far, another text for the same object among it, and what is not rewritten
    (tmp_path / switched.OFF).touch()
    assert switched.choose(ORDER, f"{TEXT}; more\n")[0].new == ""
    assert switched.choose(ORDER, "scalar")[0].new == ""
    assert asked == [TEXT, f"{TEXT}; more\n", "scalar"]
    (tmp_path / "remarks").mkdir()
    assert [m.instead for m in switched.modules_in(str(tmp_path))] == ["", ""]
