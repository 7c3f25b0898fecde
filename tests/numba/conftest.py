"""What tests of the hook in numba share: a rewriter that is seen in results, and a clean state."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import llvmlite.binding as llvm
import numba
import numpy as np
import numpy.typing as npt
import pytest

import isel
import isel.numba
from isel.numba import settings


@dataclass(frozen=True)
class Answer:
    module: llvm.ModuleRef
    windows: tuple[str, ...] = ()


@dataclass
class Rewriter:
    """Stands for ``isel.optimize``: what adds 77 adds 78, and how it was called is kept."""

    calls: list[dict[str, object]] = field(default_factory=list)

    def __call__(self, module: llvm.ModuleRef, **options: object) -> Answer:
        self.calls.append(options)
        text = str(module)
        changed = text.replace(", 77\n", ", 78\n").replace("(i64 77)", "(i64 78)")
        return Answer(module if changed == text else llvm.parse_assembly(changed))


def plus(x: npt.NDArray[np.int64]) -> None:
    for i in range(x.size):
        x[i] += 77


def added(compiled: Callable[[npt.NDArray[np.int64]], object], size: int = 99) -> int:
    """Return what a function adds to all items of an array: 77, or 78 where it was rewritten."""
    compiled(x := np.zeros(size, np.int64))
    assert (x == x[0]).all()
    return int(x[0])


@pytest.fixture(autouse=True)
def nothing_enabled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setattr(settings, "_SAID", set())
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "numba"))
    yield
    monkeypatch.undo()
    isel.numba.disable()


@pytest.fixture
def rewriter(monkeypatch: pytest.MonkeyPatch) -> Rewriter:
    stub = Rewriter()
    monkeypatch.setattr(isel, "optimize", stub, raising=False)
    return stub
