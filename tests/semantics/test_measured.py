"""Prices timed on this machine: what is timed, and how a table follows it.  Nothing here asserts how
long anything takes.
"""

from __future__ import annotations

from dataclasses import replace

from frontends.llvm.linked.worker import LlvmWorker
from isel.cost.ports import Usage, port_bound
from isel.cost.prices import Price, Prices
from semantics.x86.costs import prices_of
from semantics.x86.costs.fitted import fitted, probes
from semantics.x86.costs.measure import _tried, emitted_forms
from semantics.x86.costs.timed import Timed, _apart, _chains, can_be_timed

A, B, AB, LOAD = 1, 2, 3, 4


def table(**usages: tuple[Usage, ...]) -> Prices:
    rows = {f"{name} xmm,xmm": Price(1, 1, port_bound(some), some) for name, some in usages.items()}
    return Prices("some", 4, ("A", "B", "L"), rows, "")


def test_a_form_is_scaled_where_it_binds() -> None:
    base = table(slow=(Usage(AB, 4.0), Usage(LOAD, 1.0)))
    found = fitted(base, {"slow xmm,xmm": Timed(1.0, 3.2)}, {}).rows["slow xmm,xmm"]
    assert found == Price(1, 3, 1.0, (Usage(AB, 2.0), Usage(LOAD, 1.0)))
    fast = fitted(base, {"slow xmm,xmm": Timed(0.5, None)}, {}).rows["slow xmm,xmm"]
    assert fast == Price(1, 1, 0.5, (Usage(AB, 1.0), Usage(LOAD, 0.5)))


def test_what_agrees_stays_as_it_is() -> None:
    base = table(one=(Usage(AB, 1.0),))
    same = fitted(base, {"one xmm,xmm": Timed(0.52, 1.3)}, {})
    assert same.rows == base.rows


def test_ports_follow_pairs() -> None:
    base = table(a=(Usage(A, 1.0),), b=(Usage(B, 1.0),), both=(Usage(AB, 1.0),))
    times = {f"{n} xmm,xmm": Timed(1.0 if n != "both" else 0.5, 1.0) for n in ("a", "b", "both")}
    truth = table(a=(Usage(A, 1.0),), b=(Usage(A, 1.0),), both=(Usage(AB, 1.0),))
    chosen = probes(base, times)
    assert chosen == ("a xmm,xmm", "b xmm,xmm", "both xmm,xmm")
    rows = truth.rows
    pairs = {
        (f, p): port_bound([*rows[f].usages, *rows[p].usages])
        for f in rows
        for p in ("a xmm,xmm", "both xmm,xmm")
    }
    assert fitted(base, times, pairs).rows == rows


def test_copies_are_apart_or_in_a_chain() -> None:
    apart = _apart(["vpaddb ymm,ymm,ymm"]).splitlines()
    assert apart[0] == "vpaddb %ymm13, %ymm12, %ymm0"
    assert len({line.rpartition(" ")[2] for line in apart}) == 12
    first, second = _chains("vpaddb ymm,ymm,ymm")
    assert first.splitlines()[0] == "vpaddb %ymm13, %ymm0, %ymm0"
    assert second.splitlines()[0] == "vpaddb %ymm0, %ymm13, %ymm0"
    assert _chains("vpmovzxbw ymm,xmm")[0].splitlines()[0] == "vpmovzxbw %xmm0, %ymm0"
    assert _chains("vpaddb ymm,ymm,mem") == [] == _chains("vpmovmskb r32,ymm")
    (masked,) = set(_apart(["vpabsb zmm{k}{z},zmm"]).splitlines()[:1])
    assert masked == "vpabsb %zmm12, %zmm0 {%k1} {z}"
    assert not any(map(can_be_timed, ("vmovdqu mem,ymm", "vpgatherdd ymm,mem(ymm),ymm", "nop")))


def test_what_the_search_emits_is_timed_with_loads() -> None:
    forms = emitted_forms(prices_of("znver4"))
    assert len(forms) > 1_500
    assert {"vpaddb zmm,zmm,zmm", "vpaddb zmm,zmm,mem", "vpmovzxbw ymm,mem"} <= set(forms)


def test_prices_are_written_as_read() -> None:
    base = table(one=(Usage(AB, 1.0),))
    assert fitted(base, {}, {}) == replace(base, likened=None)


def test_a_form_that_the_machine_lacks_is_left_out() -> None:
    with LlvmWorker() as worker:  # the second is of XOP, which went with Bulldozer
        times, pairs, missing = _tried(worker, ["vpaddb xmm,xmm,xmm", "vphaddbd xmm,xmm"], ())
    assert (list(times), pairs, missing) == (["vpaddb xmm,xmm,xmm"], {}, ["vphaddbd xmm,xmm"])
