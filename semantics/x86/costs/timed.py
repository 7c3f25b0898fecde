"""Instruction forms timed on this machine: cycles of reciprocal throughput and of latency.

Each form is a naked function of its own, a loop over copies of the instruction: copies on registers
apart for the throughput, copies in a chain for the latency.  The clock is a chain of dependent
additions, one cycle each, timed in the same rounds, so that neither frequency nor its changes
matter.  A run is the least of several rounds; a form has settled when its
least two runs agree.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from frontends.llvm.linked import binding

AGREE: Final = 0.03  # two runs that differ by less
_RUNS: Final = 8  # at most
_ROUNDS: Final = 9  # of a run
_LEAST_NS: Final = 40_000  # of a round: a thousand times what the clock and the call take
_COPIES: Final = 24  # in a loop
_TARGETS: Final = 12  # registers that the copies write in turn
_BYTES: Final = 64
_GENERAL: Final = ("ax", "cx", "dx", "8", "9", "11")  # the last is read, the others are written
_VECTORS: Final = ("xmm", "ymm", "zmm")


@dataclass(frozen=True, slots=True)
class Timed:
    """Cycles; None where no two runs agreed, or where no chain can be made of the form."""

    throughput: float | None
    latency: float | None


def timed(
    forms: Sequence[str], beside: Sequence[tuple[str, str]] = ()
) -> tuple[dict[str, Timed], dict[tuple[str, str], float]]:
    """Time forms, and pairs of forms whose copies take turns (cycles a pair).

    The machine must have what the forms need: a form that it lacks ends the process, so this
    belongs into a worker.
    """
    bodies: dict[str, str] = {"clock": "addq $$1, %rax\n" * _COPIES}
    for form in forms:
        bodies[f"t {form}"] = _apart([form])
        bodies.update((f"l{k} {form}", chain) for k, chain in enumerate(_chains(form)))
    bodies.update((f"p {a} + {b}", _apart([a, b])) for a, b in beside)
    runs = _compiled(bodies)
    cycles = {name: _settled(run, runs["clock"]) for name, run in runs.items() if name != "clock"}
    found: dict[str, Timed] = {}
    for form in forms:
        chains = [cycles[f"l{k} {form}"] for k in range(len(_chains(form)))]
        known = [c for c in chains if c is not None]
        whole = chains and len(known) == len(chains)
        found[form] = Timed(cycles[f"t {form}"], max(known) if whole else None)
    pairs = {(a, b): cycles[f"p {a} + {b}"] for a, b in beside}
    return found, {pair: 2 * c for pair, c in pairs.items() if c is not None}


def can_be_timed(form: str) -> bool:
    """Tell whether registers can be given to a form: no vector of addresses, no branch."""
    kinds = _operands(form)
    known = (*_VECTORS, "k", "imm", "mem", "r32", "r64")
    return len(kinds) > 1 and kinds[0] != "mem" and all(_kind(k) in known for k in kinds)


def _apart(forms: Sequence[str]) -> str:
    """Return copies of the forms in turns that need nothing of each other."""
    return "".join(_line(forms[k % len(forms)], k % _TARGETS, (12, 13, 14)) for k in range(_COPIES))


def _chains(form: str) -> list[str]:
    """Return, for each operand that may hold the result, copies that hand it on there; none for a
    form that loads, whose latency is also that of the load.
    """
    target, *sources = map(_kind, _operands(form))
    if "mem" in sources:
        return []
    files = [_VECTORS, ("k",), ("r32", "r64")]
    file = next((f for f in files if target in f), ())
    found: list[str] = []
    for k, source in enumerate(sources):
        if source in file:
            read = [0 if i == k else 13 for i in range(len(sources))]
            found.append(_line(form, 0, read) * _COPIES)
    return found


def _operands(form: str) -> list[str]:
    return form.rpartition(" ")[2].split(",")


def _kind(operand: str) -> str:
    """Return an operand without its mask and its broadcast."""
    return operand.partition("{")[0]


def _line(form: str, target: int, sources: Sequence[int]) -> str:
    mnemonic, _, _ = form.rpartition(" ")
    first, *others = _operands(form)
    texts = [_register(first, target, target=True)]
    texts += [_register(o, sources[min(k, len(sources) - 1)]) for k, o in enumerate(others)]
    return f"{mnemonic} {', '.join(reversed(texts))}\n"


def _register(operand: str, number: int, *, target: bool = False) -> str:
    kind, brace, decoration = operand.partition("{")
    if kind == "imm":
        return "$$1"
    if kind == "mem":
        return f"(%rsi){brace}{decoration}"
    mark = (brace + decoration).replace("{k}", " {%k1}").replace("{z}", " {z}")
    if kind == "k":
        return f"%k{2 + number % 5 if target or number == 0 else 1}{mark}"
    if kind in ("r32", "r64"):
        name = _GENERAL[number % 5 if target or number == 0 else 5]
        if name.isdigit():
            return f"%r{name}{'d' if kind == 'r32' else ''}"
        return f"%{'e' if kind == 'r32' else 'r'}{name}"
    return f"%{kind}{number}{mark}"


def _compiled(bodies: Mapping[str, str]) -> dict[str, Callable[[int], int]]:
    """Return functions that run a body a number of times and return the nanoseconds that took."""
    features = binding.host_features()
    wide = "zmm" if "avx512f" in features else "ymm"
    before = "".join(
        f"vmovdqu{'64' if wide == 'zmm' else ''} (%rsi), %{wide}{k}\n" for k in range(16)
    )
    if wide == "zmm":
        mask = "q" if "avx512bw" in features else "w"
        before += "".join(f"kxnor{mask} %k{k}, %k{k}, %k{k}\n" for k in range(1, 8))
    text = "".join(_function(f"f{k}", before, body) for k, body in enumerate(bodies.values()))
    module = binding.NativeModule(text, level=1)
    memory = ctypes.create_string_buffer(bytes(range(2 * _BYTES)), 2 * _BYTES)
    start = ctypes.addressof(memory)
    start += -start % _BYTES
    kind = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_uint64)

    def run_of(name: str) -> Callable[[int], int]:
        entry = kind(module.address(name))

        def run(count: int, keep: object = (module, memory)) -> int:
            begin = time.perf_counter_ns()
            entry(count, start)
            return time.perf_counter_ns() - begin

        return run

    return {name: run_of(f"f{k}") for k, name in enumerate(bodies)}


def _function(name: str, before: str, body: str) -> str:
    lines = f"{before}1:\n{body}decq %rdi\njnz 1b\nvzeroupper\nretq\n"
    asm = lines.replace("\n", "\\0A")
    return (
        f"define void @{name}(i64 %n, ptr %p) naked nounwind {{\n"
        f'  call void asm sideeffect "{asm}", "~{{memory}}"()\n  unreachable\n}}\n'
    )


def _settled(run: Callable[[int], int], clock: Callable[[int], int]) -> float | None:
    """Return the cycles of a copy when the least two runs agree; None if they never do."""
    seen: list[float] = []
    for cycles in _runs(run, clock):
        seen = sorted([*seen, cycles])
        if len(seen) > 1 and seen[1] - seen[0] <= AGREE * seen[1]:
            return seen[0]
    return None


def _runs(run: Callable[[int], int], clock: Callable[[int], int]) -> Iterator[float]:
    counts = [_count(run), _count(clock)]
    for _ in range(_RUNS):
        times = [(run(counts[0]), clock(counts[1])) for _ in range(_ROUNDS)]
        yield (min(t for t, _ in times) / counts[0]) / (min(c for _, c in times) / counts[1])


def _count(run: Callable[[int], int]) -> int:
    count = 16
    while run(count) < _LEAST_NS:
        count *= 2
    return count
