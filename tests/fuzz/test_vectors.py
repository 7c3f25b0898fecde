"""Masks, moves and squares: generated functions are valid, of all kinds, and have one meaning."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import pytest

from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker
from tests.fuzz.generate import Generated
from tests.fuzz.harness import Agreed, check_reference
from tests.fuzz.masks import masks
from tests.fuzz.moves import moves
from tests.fuzz.squares import squares

FIRST_SEED: Final = 20_000
MADE: Final[dict[str, Callable[[int], Generated]]] = {
    "masks": masks,
    "moves": moves,
    "squares": squares,
}
# The interpreter of reference has no choice to make, and does not know products over GF(2).
OPEN: Final = re.compile(r"@llvm\.(clmul|vector\.partial\.reduce)")
KINDS: Final = {
    "masks": (
        r"bitcast <16 x i1> %\S+ to i16",
        r"bitcast i32 %\S+ to <32 x i1>",
        r"@llvm\.ctpop\.i\d+",
        r"@llvm\.vector\.reduce\.(or|and)\.v\d+i1",
        r"@llvm\.masked\.store",
        r"@llvm\.cttz",
        r"zext <\d+ x i1>",
        r"select <\d+ x i1> %\S+, <\d+ x i\d+>",
        r"extractelement <\d+ x i1>",
        r" phi ",
    ),
    "moves": (
        r"shufflevector <64 x i8>",
        r"trunc <\d+ x i16> %\S+ to <\d+ x i8>",
        r"lshr <\d+ x i16> %\S+, <i16 \d",
        r"and <\d+ x i\d+> %\S+, splat \(i\d+ 63\)",
        r"bitcast <32 x i8>",
        r" phi ",
    ),
    "squares": (
        r"shufflevector <16 x i16>",
        r"sub <4 x i32>",
        r"@llvm\.smin",
        r"@llvm\.clmul\.v2i64",
        r"@llvm\.vector\.partial\.reduce\.add",
        r" phi ",
    ),
}


@pytest.mark.parametrize("name", MADE)
def test_a_seed_is_a_function(name: str) -> None:
    assert MADE[name](5) == MADE[name](5) != MADE[name](6)
    assert MADE[name](5).buffers(3) == MADE[name](5).buffers(3)


@pytest.mark.parametrize("name", MADE)
def test_functions_are_of_all_kinds_and_no_lane_is_open(name: str) -> None:
    text = "".join(binding.normalise(MADE[name](seed).text) for seed in range(200))
    assert [kind for kind in KINDS[name] if not re.search(kind, text)] == []
    orders = re.findall(r"shufflevector .*, (<\d+ x i32> .*)$", text, re.MULTILINE)
    assert not [x for x in orders if "poison" in x or "undef" in x]


@pytest.mark.parametrize("name", MADE)
def test_reference_and_host_agree(name: str) -> None:
    made = {seed: MADE[name](seed) for seed in range(FIRST_SEED, FIRST_SEED + 40)}
    known = {seed: g for seed, g in made.items() if not OPEN.search(g.text)}
    with LlvmWorker(seconds=20) as worker:
        verdicts = {seed: check_reference(worker, g, calls=2) for seed, g in known.items()}
    assert len(verdicts) > 25
    assert {seed: v for seed, v in verdicts.items() if v != Agreed(True)} == {}
