"""Small modules that the tests of the command line feed to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from tests.cli.conftest import Ran

Run: TypeAlias = Callable[..., Ran]

EXAMPLES = Path(__file__).parents[2] / "examples"
WINDOW = EXAMPLES / "multiply_round.ll"
CPU = "-mcpu=sapphirerapids"

PLAIN = """\
target triple = "x86_64-unknown-linux-gnu"

define <4 x i32> @f(<4 x i32> %a, <4 x i32> %b) {
  %r = add <4 x i32> %a, %b
  ret <4 x i32> %r
}
"""
SCALABLE = """\
target triple = "x86_64-unknown-linux-gnu"

define <vscale x 4 x i32> @f(<vscale x 4 x i32> %a) {
  %r = add <vscale x 4 x i32> %a, %a
  ret <vscale x 4 x i32> %r
}
"""
UNVERIFIED = """\
define i32 @f(i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %x = add i32 1, 2
  br label %b
b:
  ret i32 %x
}
"""


def written(path: Path, text: str) -> Path:
    """Write a file and return its path."""
    path.write_text(text)
    return path
