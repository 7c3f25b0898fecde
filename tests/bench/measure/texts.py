"""Modules of functions that can be run alone, and of those that cannot."""

from __future__ import annotations

from typing import Final

from frontends.llvm.text.ast import Function, Module
from frontends.llvm.text.parse import parse_module

QUICK: Final = """\
define void @f(ptr noalias %p, i64 %n) {
  %v = load <16 x i8>, ptr %p, align 1
  %w = add <16 x i8> %v, splat (i8 1)
  store <16 x i8> %w, ptr %p, align 1
  ret void
}
"""
# The same in 40 steps that LLVM leaves alone: nothing but code generation is behind it.
SLOW: Final = (
    "define void @f(ptr noalias %p, i64 %n) {\n  %x0 = load <16 x i8>, ptr %p, align 1\n"
    + "".join("  store volatile <16 x i8> %x0, ptr %p, align 1\n" for _ in range(40))
    + "  %w = add <16 x i8> %x0, splat (i8 1)\n  store <16 x i8> %w, ptr %p, align 1\n"
    "  ret void\n}\n"
)


def module(text: str) -> Module:
    return parse_module(text)


def function(
    body: str, arguments: str = "ptr %p, i64 %n", more: str = ""
) -> tuple[Module, Function]:
    """Return a module of a function with a line in it, and the function."""
    found = parse_module(f"{more}\ndefine void @f({arguments}) {{\n  {body}\n  ret void\n}}\n")
    return found, found.functions[0]
