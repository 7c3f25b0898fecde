"""Ask whether one function refines another, and what an instruction in it computes."""

from __future__ import annotations

import isel

SOURCE = """\
target triple = "x86_64-unknown-linux-gnu"

define <16 x i8> @distance(<16 x i8> noundef %a, <16 x i8> noundef %b) {
  %less = icmp ult <16 x i8> %a, %b
  %up = sub <16 x i8> %b, %a
  %down = sub <16 x i8> %a, %b
  %r = select <16 x i1> %less, <16 x i8> %up, <16 x i8> %down
  ret <16 x i8> %r
}
"""
TARGET = """\
target triple = "x86_64-unknown-linux-gnu"

define <16 x i8> @distance(<16 x i8> noundef %a, <16 x i8> noundef %b) {
  %up = call <16 x i8> @llvm.usub.sat.v16i8(<16 x i8> %b, <16 x i8> %a)
  %down = call <16 x i8> @llvm.usub.sat.v16i8(<16 x i8> %a, <16 x i8> %b)
  %r = or <16 x i8> %up, %down
  ret <16 x i8> %r
}

declare <16 x i8> @llvm.usub.sat.v16i8(<16 x i8>, <16 x i8>)
"""


def main() -> None:
    """Print a proof, a counterexample, and an explanation."""
    print("both saturating:", isel.verify(SOURCE, TARGET), end="")
    print(
        "one of them:",
        isel.verify(SOURCE, TARGET.replace("or <16 x i8> %up", "or <16 x i8> %down")),
    )
    print(isel.explain("psubusb", cpu="haswell"))


if __name__ == "__main__":
    main()
