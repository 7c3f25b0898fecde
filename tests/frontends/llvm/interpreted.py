"""Functions for tests of the reference interpreter, and memory for them."""

from __future__ import annotations

from frontends.llvm.linked import binding
from frontends.llvm.text.ast import Function
from frontends.llvm.text.parse import parse_module
from tests.reference.values import Memory, Region


def function(text: str) -> Function:
    return parse_module(binding.normalise(text)).functions[0]


def memory_of(contents: bytes) -> Memory:
    return Memory([Region(bytearray(contents), alignment=128)])
