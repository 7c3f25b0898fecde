"""Which version of a function is written: what is proved, whatever else was made of it."""

from __future__ import annotations

import re

import pytest

from frontends.llvm.pipeline.options import Options, Rewritten, Tools
from frontends.llvm.report.tried import ModuleReport
from isel.cli.port import versions
from isel.cli.port.compile import Port
from isel.cli.port.versions import Versions
from isel.model.verdict import Proved

PORT = Port("in.c", "no-such-clang", "x86", "arm", "generic", "")
FIRST = """\
target triple = "x86_64-unknown-linux-gnu"

define <16 x i8> @first(<16 x i8> %x, <16 x i8> %y) {
  %r = add <16 x i8> %x, %y
  ret <16 x i8> %r
}

define <16 x i8> @second(<16 x i8> %x, <16 x i8> %y) {
  %r = sub <16 x i8> %x, %y
  ret <16 x i8> %r
}
"""


def test_what_is_not_proved_falls_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rewrite that is wrong costs its own function what it was; the other one keeps its own."""

    def wrong(text: str, options: Options, tools: Tools, file: str) -> Rewritten:
        assert options.only_function == "first|second" and not options.strict
        done = text.replace("add <16 x i8> %x, %y", "add <16 x i8> %y, %x")
        done = done.replace("sub <16 x i8> %x, %y", "sub <16 x i8> %y, %x")
        return Rewritten(text, done, ModuleReport(file), done)

    monkeypatch.setattr(versions, "rewrite", wrong)
    found = Versions(PORT, FIRST, (), "off")
    found.run()
    assert "add <16 x i8> %y, %x" in found.text and "sub <16 x i8> %x, %y" in found.text
    assert [a.name for a in found.answers] == ["first", "second"]
    assert all(isinstance(a.verdict, Proved) for a in found.answers)
    assert not found.said and not found.outside and not found.refused


def test_a_file_has_so_many_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is hotter comes first; the rest is named, and proved as the formulas have it."""
    seen: list[str] = []

    def idle(text: str, options: Options, tools: Tools, file: str) -> Rewritten:
        seen.append(options.only_function)
        return Rewritten(text, text, ModuleReport(file), text)

    monkeypatch.setattr(versions, "rewrite", idle)
    monkeypatch.setattr(versions, "PORT_STEPS", 9_000)
    more = re.sub(r"(%r = sub)", r"%z = add <16 x i8> %x, splat (i8 1)\n  \1", FIRST)
    found = Versions(PORT, more, (), "off")
    found.run()
    assert seen == ["second"]
    assert found.said == ["the file's steps were spent on hotter code, not searched: @first"]
    assert all(isinstance(a.verdict, Proved) for a in found.answers)
    monkeypatch.setattr(versions, "PORT_STEPS", 0)
    Versions(PORT, more, (), "off").run()
    assert not re.fullmatch(seen[1], "first")
