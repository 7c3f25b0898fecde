"""Any token of a module changed: code that is not modelled is never proved equal to what it was.

Every function here calls, so nothing but identity can prove anything; a change that LLVM reads as
none is left out.
"""

from __future__ import annotations

import random
import re
from typing import Final

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.refine.frames import Frames
from frontends.llvm.text.ast import Module
from frontends.llvm.text.identity import identical, tokens
from frontends.llvm.text.parse import parse_module
from isel.errors import BadModule

_MODULE: Final = r"""
target datalayout = "e-p:64:64-i64:64"
target triple = "x86_64-unknown-linux-gnu"
%S = type { i32, %T }
%T = type { i64, [3 x i16] }
$c = comdat any
@a = constant [3 x i8] c"%ab"
@b = global i32 7, align 4
@"%q" = external global i32
@d = internal constant ptr @g
declare i32 @g(i32, ptr) nounwind
declare i32 @"%g"(i32 signext, ptr nocapture)
declare void @v(...)
declare i32 @p(...)
declare float @llvm.fma.f32(float, float, float)
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, <4 x i1>, <4 x i32>)
define linkonce_odr zeroext i8 @f(i32 noundef %x, ptr noalias align 8 %p, float %y) #0 comdat($c) align 16 prefix i32 3 personality ptr @p {
  %q = getelementptr inbounds %S, ptr %p, i64 1, i32 1, i32 1, i64 2
  %m = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p, <4 x i1> <i1 1, i1 0, i1 1, i1 undef>, <4 x i32> splat (i32 7))
  %e = extractelement <4 x i32> %m, i64 1
  %r = tail call fastcc noundef range(i32 0, 9) i32 @g(i32 noundef %x, ptr nonnull @a) #1, !range !0
  %s = call i32 @"%g"(i32 %r, ptr @"%q") [ "deopt"(i32 1, ptr %p) ]
  %t = call i32 asm sideeffect "leal 1(%rdi), $0", "=r,{edi},~{memory}"(i32 %s)
  %u = load atomic i32, ptr @b syncscope("singlethread") monotonic, align 4
  %w = fadd nnan float %y, 0x3FF1C71C80000000
  %z = call fast float @llvm.fma.f32(float %w, float %y, float 2.0)
  %c = fcmp olt float %z, %w
  call void (...) @v(i32 %u, float %z), !foo !1
  %k = load i32, ptr %q, align 2, !tbaa !3, !alias.scope !6
  store volatile i32 %k, ptr @d, align 4
  switch i32 %t, label %l [
    i32 1, label %n
    i32 -2, label %l
  ]
l:
  %o = phi i32 [ %t, %0 ], [ %u, %n ], [ %t, %0 ]
  %h = select i1 %c, i32 %o, i32 %e
  %i = trunc nuw i32 %h to i8
  ret i8 %i
n:
  br i1 %c, label %l, label %end, !prof !2
end:
  unreachable
}
attributes #0 = { nounwind uwtable "target-cpu"="haswell" "a"="%x" }
attributes #1 = { nounwind willreturn memory(argmem: read) }
!llvm.module.flags = !{!9}
!0 = !{i32 0, i32 10}
!1 = !{!"a;b", ptr @b, !{i8 1}}
!2 = !{!"branch_weights", i32 1, i32 2}
!3 = !{!4, !4, i64 0}
!4 = !{!"int", !5}
!5 = !{!"root"}
!6 = !{!7}
!7 = distinct !{!7, !8, !"scope"}
!8 = distinct !{!8, !"domain"}
!9 = !{i32 1, !"wchar_size", i32 4}
"""
_LEFT_OUT: Final = "noundef inbounds nuw nnan fast tail noalias zeroext signext nonnull volatile fastcc sideeffect nounwind uwtable willreturn internal nocapture distinct"
_SWAPPED: Final = (
    "olt ogt une|monotonic acquire seq_cst|i32 i64 i16|fastcc coldcc|linkonce_odr weak_odr weak|noundef nonnull|tail notail|read write none"
    "|constant global|any largest|zeroext signext|internal private|add sub|x86_64-unknown-linux-gnu x86_64-unknown-linux-musl"
)
_OPTIONAL: Final = frozenset(_LEFT_OUT.split())
_ALIKE: Final = tuple(group.split() for group in _SWAPPED.split("|"))


def _other(rng: random.Random, token: str, text: str) -> str:
    """Return another token of the same kind, or nothing where the token may be left out."""
    if token.lstrip("-").isdecimal():
        return str(int(token) + rng.choice((1, -1, 2)))
    if token[:1] in "@!#$%" and len(token) > 1 and token[1] != '"':
        found: list[str] = re.findall(rf"{re.escape(token[0])}[-\w.$]+", text)
        return rng.choice([t for t in sorted(set(found)) if t[1].isdigit() == token[1].isdigit()])
    if '"' in token:
        at = rng.randrange(token.index('"') + 1, len(token))
        return (
            token[:at]
            + rng.choice("abcz%0;")
            + token[at + (rng.random() < 0.7 and at + 1 < len(token)) :]
        )
    group = next((g for g in _ALIKE if token in g and rng.random() < 0.7), None)
    return rng.choice(group) if group is not None else ""


def _mutant(rng: random.Random, text: str) -> str:
    """Return the module with one token replaced or left out."""
    lines = text.rstrip("\n").split("\n")
    words = [w for g in _ALIKE for w in g]
    while True:
        number = rng.choice(
            [
                k
                for k, line in enumerate(lines)
                if line.strip() and not line.startswith(("source_filename", "; ModuleID"))
            ]
        )
        parts = re.findall(
            r'c?[%@!$#]?"[^"]*"|[%@!#$][-\w.$]+|-?[\w.]+(?:-\w+)*|\s+|[^\s\w]', lines[number]
        )
        k = rng.randrange(len(parts))
        token = parts[k]
        if "".join(parts[k + 1 : k + 3])[:2] == " =" or not (
            token in _OPTIONAL or token in words or token[0] in '@!#$%"c-' or token.isdecimal()
        ):
            continue
        parts[k] = _other(rng, token, text)
        return "\n".join([*lines[:number], "".join(parts), *lines[number + 1 :]]) + "\n"


def _silent(text: str) -> list[list[str]]:
    """Return what a module says, without declarations of intrinsics and unused metadata."""
    return [
        tokens(line)
        for line in text.split("\n")
        if not line.startswith(("declare ", "; ", "source_filename"))
    ]


def _is_identity(a: Module, b: Module) -> bool:
    """Tell whether the first functions of two modules are the same, and what surrounds them."""
    frames = Frames.of(a, b)
    return not frames.problem and identical(a.functions[0], b.functions[0], frames.pairing)


@pytest.mark.parametrize(("seed", "count"), [(1, 120), (2, 6000)])
def test_a_changed_token_is_no_identity(seed: int, count: int) -> None:
    rng = random.Random(seed)
    text = normalise(_MODULE)
    before = parse_module(text)
    assert _is_identity(before, parse_module(text))
    tried = 0
    for _ in range(count):
        try:
            after = normalise(_mutant(rng, text))
        except BadModule:
            continue
        module = parse_module(after)
        if _silent(after) == _silent(text) or not module.functions:
            continue
        tried += 1
        assert not _is_identity(before, module), f"seed {seed}:\n{after}"
    assert tried >= count // 20, tried
