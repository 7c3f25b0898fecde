"""isel's hook in numba, with a rewriter that shows in results instead of isel's."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable

import llvmlite.binding as llvm
import numba
import numpy as np
import pytest

import isel
import isel.numba
from isel.numba import FallbackWarning
from isel.numba.hook import HOOK
from tests.numba.conftest import Rewriter, added, plus

SIGNATURE = "void(int64[::1])"


def code(function: Callable[..., object] = plus) -> str:
    """Return numba's assembly of a function, without what makes each of its names another."""
    compiled = numba.njit(SIGNATURE)(function)
    text: str = compiled.inspect_asm(compiled.signatures[0])
    return re.sub(r"B\d+v\d+B\d+", "", text)


def raises(error: BaseException) -> Callable[..., object]:
    def optimize(*_: object, **__: object) -> object:
        raise error

    return optimize


def test_nothing_happens_before_it_is_enabled(rewriter: Rewriter) -> None:
    assert added(numba.njit(plus)) == 77 and rewriter.calls == []


def test_enabled_is_for_all_and_disabled_for_none(rewriter: Rewriter) -> None:
    before = code()
    isel.numba.enable(effort=2, time_limit=3.0)
    assert added(numba.njit(plus)) == 78 and code() != before
    assert {(c["effort"], c["time_limit"]) for c in rewriter.calls} == {(2, 3.0)}
    isel.numba.disable()
    calls = len(rewriter.calls)
    assert added(numba.njit(plus)) == 77 and code() == before and len(rewriter.calls) == calls


def test_one_function_is_decorated(rewriter: Rewriter) -> None:
    below = numba.njit(isel.numba.optimize(lambda x: plain(x)))
    above = isel.numba.optimize(effort=3)(numba.njit(plus))
    assert (added(above), added(numba.njit(plus)), added(plain)) == (78, 77, 77)
    assert {c["effort"] for c in rewriter.calls} == {3}
    added(below)
    assert {c["effort"] for c in rewriter.calls} == {3, 1}
    with pytest.raises(ValueError, match="below numba's decorator"):
        isel.numba.optimize(numba.njit(SIGNATURE)(lambda x: None))


def test_callers_link_what_numba_made(rewriter: Rewriter) -> None:
    """A caller's own loops are vectorised after functions were inlined into them."""
    isel.numba.enable()
    callee = numba.njit(SIGNATURE)(plus)
    isel.numba.disable()
    caller = numba.njit(SIGNATURE)(lambda x: callee(x))
    text = caller.inspect_llvm(caller.signatures[0])
    assert "(i64 77)" in text and "(i64 78)" not in text
    assert "(i64 78)" in callee.inspect_llvm(callee.signatures[0])


@pytest.mark.parametrize("way", ["vectorize", "guvectorize", "parallel"])
def test_all_that_compiles_for_this_cpu(rewriter: Rewriter, way: str) -> None:
    isel.numba.enable()
    x = np.zeros(99, np.int64)
    if way == "vectorize":
        out = numba.vectorize(["int64(int64)"])(lambda x: x + 77)(x)
    elif way == "guvectorize":
        out = numba.guvectorize(["void(int64[::1], int64[::1])"], "(n)->(n)")(into)(x)
    else:
        numba.njit(parallel=True)(into)(x, out := x.copy())
    assert (out == 78).all()


def into(x, out):  # type: ignore[no-untyped-def]
    for i in numba.prange(x.size):
        out[i] = x[i] + 77


def test_threads_get_what_one_gets(rewriter: Rewriter) -> None:
    isel.numba.enable()
    found: list[int] = []

    def work() -> None:
        found.append(added(numba.njit(lambda x: plus_here(x))))

    plus_here = numba.njit(plus)
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [78] * 4


def test_a_decorated_function_is_one_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []

    def look(*_: object, **__: object) -> object:
        thread = threading.Thread(target=lambda: seen.append(HOOK.settings))
        thread.start()
        thread.join()
        seen.append(HOOK.settings)
        raise isel.Error

    monkeypatch.setattr(isel, "optimize", look)
    with pytest.warns(FallbackWarning):
        numba.njit(SIGNATURE)(isel.numba.optimize(lambda x: plain(x)))
    assert seen[0] is None and seen[1] is not None and HOOK.settings is None


plain = numba.njit(plus)


def test_cpu_and_features_are_those_of_numba(
    rewriter: Rewriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = llvm.get_host_cpu_name()
    isel.numba.enable(cpu=host)
    compiled = numba.njit(SIGNATURE)(plus)
    codegen = compiled.overloads[compiled.signatures[0]].library.codegen
    options = rewriter.calls[-1]
    assert (options["cpu"], options["features"]) == (host, codegen._tm_features)
    monkeypatch.setattr(numba.config, "CPU_NAME", "generic")
    isel.numba.enable()
    code()
    assert rewriter.calls[-1]["cpu"] == "generic"
    isel.numba.enable(cpu="another")
    with pytest.warns(FallbackWarning, match="code is for generic, not another"):
        assert added(numba.njit(plus)) == 77


def test_an_error_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    before = code()
    monkeypatch.setattr(isel, "optimize", raises(ValueError("no")), raising=False)
    isel.numba.enable()
    with pytest.warns(FallbackWarning, match="compiles plus alone: ValueError: no") as said:
        assert added(numba.njit(plus)) == 77 and code() == before
    assert len(said) == 1


def test_what_llvm_refuses_is_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    class Refused:
        def verify(self) -> None:
            raise RuntimeError("no module")

    class Result:
        module = Refused()

    monkeypatch.setattr(isel, "optimize", lambda *_, **__: Result(), raising=False)
    isel.numba.enable()
    with pytest.warns(FallbackWarning, match="no module"):
        assert added(numba.njit(plus)) == 77


def test_ctrl_c_ends_the_compilation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isel, "optimize", raises(KeyboardInterrupt()), raising=False)
    isel.numba.enable()
    with pytest.raises(KeyboardInterrupt):
        numba.njit(plus)(np.zeros(9, np.int64))
    isel.numba.disable()
    assert added(numba.njit(plus)) == 77


@pytest.mark.parametrize("version", ["0.67.0", "0.69.0dev0", "1.0"])
def test_an_unknown_numba_compiles_alone(
    rewriter: Rewriter, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    monkeypatch.setattr(numba, "__version__", version)
    with pytest.warns(FallbackWarning, match=f"numba {version} compiles alone"):
        isel.numba.enable()
    isel.numba.disable()  # a second warning would be an error
    decorated = numba.njit(isel.numba.optimize(lambda x: plain(x)))
    assert added(decorated) == 77
    assert (added(numba.njit(plus)), rewriter.calls) == (77, [])
