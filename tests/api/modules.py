"""Modules that the tests of the API work on."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
DOT4 = (ROOT / "examples" / "dot4.ll").read_text()
CPU = "sapphirerapids"
PLAIN = """\
target triple = "x86_64-unknown-linux-gnu"

define <4 x i32> @f(<4 x i32> %a, <4 x i32> %b) {
  %r = add <4 x i32> %a, %b
  ret <4 x i32> %r
}
"""
SCALAR = "define i32 @g(i32 %a) {\n  ret i32 %a\n}\n"
PAIR = """\
define i32 @src(i32 %x) {
  %r = add i32 %x, 1
  ret i32 %r
}
define i32 @tgt(i32 %x) {
  %r = add i32 %x, 2
  ret i32 %r
}
"""
