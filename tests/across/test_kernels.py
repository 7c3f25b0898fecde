"""Ports of kernels: right ones are proved, wrong ones are not; ``python -m tests.across`` prints the
table.
"""

from __future__ import annotations

import pytest

from isel.model.verdict import Proved, Refuted, Unknown
from tests.across.compile import NAMES, compare

pytestmark = pytest.mark.tools
# sums that two loops carry in different lanes
_OPEN = frozenset({"loop_sad"})


@pytest.mark.parametrize("name", NAMES)
def test_neon_is_proved_to_be_sse(name: str) -> None:
    verdict = compare(name, "sse", "neon").verdict
    assert isinstance(verdict, Unknown if name in _OPEN else Proved), verdict


@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_port_is_not_proved(name: str) -> None:
    verdict = compare(name, "sse", "wrong").verdict
    assert isinstance(verdict, Unknown if name.startswith("loop_") else Refuted), verdict


def test_c_is_what_both_are_proved_against() -> None:
    """Code that is not always executed, and inner loops, are what is open."""
    kinds = [compare(n, "c", v).verdict for n in NAMES for v in ("sse", "neon")]
    assert not any(isinstance(v, Refuted) for v in kinds)
    assert sum(isinstance(v, Proved) for v in kinds) >= 70


def test_the_tempting_port_differs_at_one_pair_of_inputs() -> None:
    answer = compare("mulhrs", "sse", "wrong")
    assert answer.line.count("= -32768, ") == 3  # both inputs and what SSE gives
