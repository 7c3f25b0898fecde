"""Names at random: those that isel writes, or gives a meaning to, first of all."""

from __future__ import annotations

import random
from collections.abc import Collection
from typing import Final

from tests.names.renaming import Choose

_BOTH: Final = (
    "isel.{k}", "isel.double.{k}", "isel.split.{k}", "isel.pass.loop.{k}", "isel.pass.{n}.{k}",
    "isel.again.{k}", "isel.joined.{k}", "isel.joined.{n}.{k}.0", "isel.straight.{k}",
    "isel.narrow..{k}", "isel.whole.{k}", "isel.old.{k}", "isel.v{k}", "isel.unnamed.{k}",
    "mul.{k}", "add.{k}", "and.f{k}", "sub.i{k}", "phi.{k}", "llvm_x{k}", "a{k}", "v{k}",
    "m{k}.0.{n}", "r{k}", "x{k}", "S.a{k}.u", "T.r{n}.u{k}", "poison.a{k}", "undef.a{k}",
    "product{k}", "free{k}", "z{k}", "A{k}", "_{k}", "-{k}", "${k}", "label{k}", "i{k}", "undef{k}",
    '"{k}"', '"{k}.{n}"', '"a b{k}"', '"%{k}"', '"x, %y{k}"', '"]{k}"', '"){k}"', '"\\22{k}"',
    '"; {k}"', '" = {k}"', '"\\C3\\A9{k}"', '"{k}:"',
)  # fmt: skip
_VALUES: Final = (
    *_BOTH, "isel.twice.{k}", "isel.unlikely.{k}", "llvm.umin.{k}", "src{k}", "for.body{k}",
)  # fmt: skip
_FUNCTIONS: Final = (*_BOTH, "umin.v{k}i8", "isel.exact{k}")
_MOST: Final = 64


class Draw:
    """Names of one scope, each once and none of those that are ``taken``."""

    def __init__(
        self,
        rng: random.Random,
        forms: tuple[str, ...],
        taken: Collection[str],
        numbers: float,
    ) -> None:
        """``numbers`` is the share of those that get a number."""
        self._rng, self._forms, self._numbers = rng, forms, numbers
        self._taken = set(taken)

    def __call__(self, old: str) -> str:
        """Return a name."""
        if self._rng.random() < self._numbers:
            return ""
        for most in (_MOST, 1 << 20):
            for _ in range(_MOST):
                k, n = (self._rng.randrange(most) for _ in range(2))
                name = self._rng.choice(self._forms).format(k=k, n=n % 4)
                if name not in self._taken:
                    self._taken.add(name)
                    return name
        raise AssertionError("no name is left")


def values(rng: random.Random, taken: Collection[str]) -> Choose:
    """Return what names the values and blocks of one function: of one form, of a few, or of all."""
    forms = rng.choice((rng.sample(_VALUES, 1), rng.sample(_VALUES, 3), _VALUES))
    return Draw(rng, tuple(forms), taken, rng.choice((0.0, 0.0, 0.3, 1.0)))


def functions(rng: random.Random, taken: Collection[str], *, numbers: bool) -> Choose:
    """Return what names functions, some by numbers."""
    return Draw(rng, _FUNCTIONS, taken, 0.1 if numbers else 0.0)
