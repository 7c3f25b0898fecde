"""All guesses, each loaded where it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from frontends.llvm.passes.witness import Guesses, States, Sums, Witness
from frontends.llvm.text.ast import Instr
from frontends.llvm.text.layout import Sizes
from frontends.llvm.text.view import View


class _Guesses:
    def stands(self, source: View, target: View, *, thin: bool) -> Witness | None:
        from frontends.llvm.passes.guess import guess

        return guess(source, target, thin=thin)

    def states(self, view: View, sizes: Sizes) -> States:
        from frontends.llvm.passes.states import states_of

        return states_of(view, sizes)

    def sums(
        self,
        source: View,
        target: View,
        blocks: Mapping[str, str],
        computes: Callable[[Instr], bool],
    ) -> Sequence[Sums]:
        from frontends.llvm.passes.sums import sums_of

        return sums_of(source, target, blocks, computes)


GUESSES: Final[Guesses] = _Guesses()
