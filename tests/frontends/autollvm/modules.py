"""Modules that tests of AutoLLVM share."""

from __future__ import annotations

import re
from typing import Final

from equiv_classes.dictionary import dictionary
from frontends.autollvm.comments import without_comments
from frontends.autollvm.lower import Search
from frontends.autollvm.module import Aim, Lowered, lower_module
from isel.model.machine import Machine
from semantics import target_for, target_named

ARM: Final = Aim("aarch64-unknown-linux-gnu", "neoverse-v1", "+dotprod")
X86: Final = Aim("x86_64-unknown-linux-gnu", "haswell", "")
AVERAGE = """\
target triple = "x86_64-unknown-linux-gnu"
define <16 x i8> @f(<16 x i8> noundef %a, <16 x i8> noundef %b) #0 {
  %r = call <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8> %a, <16 x i8> %b)
  ret <16 x i8> %r
}
declare <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8>, <16 x i8>)
attributes #0 = { nounwind "target-cpu"="haswell" }
"""


def machine(name: str, aim: Aim) -> Machine:
    """Return the machine of an aim."""
    target = target_named(name)
    features = target.features(aim.cpu, aim.features)
    return Machine(target, aim.cpu, features, target.vector_bits(features, {}))


def lower(
    text: str, search: Search | None = None, *, plain: bool = False, aim: Aim = ARM
) -> Lowered:
    """Lower a module with AutoLLVM of the other machine."""
    to = machine(target_for(aim.triple).name, aim)
    source = target_named("x86" if to.target.name == "arm" else "arm")
    bare = without_comments(text)
    return lower_module(bare, aim, to, dictionary(), search, plain=plain, source=source)


def called_intrinsics(text: str) -> list[str]:
    """Return the names of AutoLLVM calls in a text, in order."""
    return re.findall(r"call [^\n]*@(autollvm\.[\w.]+)\(", text)
