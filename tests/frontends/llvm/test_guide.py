"""The transform of the guide does what the guide says."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import cast

import pytest

from frontends.llvm.transform.site import Transform
from isel.model.verdict import Proved
from tests.frontends.llvm.transformed import transformed, whys

GUIDE = Path(__file__).parents[3] / "docs" / "adding-a-transform.md"
TEXT = """
define <4 x i32> @f(<4 x i32> %a) {
  %x = add <4 x i32> %a, splat (i32 1)
  %y = mul nsw <4 x i32> %x, splat (i32 8)
  %z = mul <4 x i32> %y, splat (i32 6)
  %w = mul <4 x i32> %z, splat (i32 2)
  %f = freeze <4 x i32> %w
  ret <4 x i32> %f
}
"""


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Transform]:
    """What makes a module of code."""

    def made(code: str) -> Transform:
        module = ModuleType("guide")
        monkeypatch.setitem(sys.modules, "guide", module)
        exec(compile(code, str(GUIDE), "exec"), vars(module))
        return cast("Transform", module)

    return made


def code() -> str:
    (found,) = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    return str(found)


def test_its_transform(load: Callable[[str], Transform]) -> None:
    assert len([line for line in code().splitlines() if line.strip()]) <= 40
    transform = load(code())
    assert whys(transform, TEXT) == [("y", ""), ("w", "its product is frozen")]
    after, verdict = transformed(transform, TEXT)
    assert isinstance(verdict, Proved)
    assert "%y = shl <4 x i32> %x, splat (i32 3)" in after
    assert "%w = mul <4 x i32> %z, splat (i32 2)" in after


def test_what_it_gets_wrong_is_not_proved(load: Callable[[str], Transform]) -> None:
    wrong = load(code().replace("bit_length() - 1", "bit_length()"))
    _, verdict = transformed(wrong, TEXT)
    assert not isinstance(verdict, Proved)
