"""Modules that tests of AutoLLVM share."""

from __future__ import annotations

AVERAGE = """\
target triple = "x86_64-unknown-linux-gnu"
define <16 x i8> @f(<16 x i8> noundef %a, <16 x i8> noundef %b) #0 {
  %r = call <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8> %a, <16 x i8> %b)
  ret <16 x i8> %r
}
declare <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8>, <16 x i8>)
attributes #0 = { nounwind "target-cpu"="haswell" }
"""
