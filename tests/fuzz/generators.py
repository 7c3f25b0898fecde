"""The generators by name: from a seed to a batch."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeAlias

from bench.harness.clang import cpu_name
from frontends.llvm.linked import binding
from tests.fuzz.carried import declared
from tests.fuzz.carried import function as carried
from tests.fuzz.case import Batch, Call, Case, Pointer
from tests.fuzz.clang import (
    FUNCTIONS,
    MARCHES,
    NESTS,
    c_batch,
    compiled,
    lookups_batch,
    machines,
    nests_batch,
)
from tests.fuzz.composed import composed
from tests.fuzz.generate import Generated, generate
from tests.fuzz.lookups import tables
from tests.fuzz.masks import masks
from tests.fuzz.modules import together
from tests.fuzz.moves import moves
from tests.fuzz.reductions import FUNCTIONS as REDUCTIONS
from tests.fuzz.reductions import functions
from tests.fuzz.small import small
from tests.fuzz.squares import squares

Generator: TypeAlias = Callable[[int, Sequence[str]], Batch]

_VECTORS: Final = 16  # functions of vector IR in a module
_CALLS: Final = 4
CSMITH_HEADERS: Final = Path("/usr/include/csmith")


def sizes() -> dict[str, int]:
    """Return the number of functions in a batch of each generator."""
    return {
        "small": _VECTORS,
        "vector": _VECTORS,
        "composed": _VECTORS,
        "c": FUNCTIONS,
        "nests": NESTS,
        "carried": _VECTORS,
        "reductions": REDUCTIONS,
        "lookups": FUNCTIONS,
        "tables": _VECTORS,
        "masks": _VECTORS,
        "moves": _VECTORS,
        "squares": _VECTORS,
        "csmith": 1,
    }


def _case(k: int, made: Generated) -> Case:
    calls = made.buffers(_CALLS)
    rows = [
        Call(tuple(regions), tuple(Pointer(i) for i in range(len(regions))), n % 2 == 0)
        for n, regions in enumerate(calls)
    ]
    return Case(f"f{k}", tuple(rows))


def _batch(name: str, seed: int, made: Sequence[Generated], cpus: Sequence[str]) -> Batch:
    cpu = random.Random(f"cpu {seed}").choices(cpus, [MARCHES[c] for c in cpus])[0]
    return Batch(
        name, seed, together(made), tuple(_case(k, g) for k, g in enumerate(made)), cpu=cpu
    )


def small_batch(seed: int, cpus: Sequence[str]) -> Batch:
    """Return small functions of one or two idioms each."""
    bits = 512 if random.Random(f"bits {seed}").random() < 0.15 else 256
    return _batch(
        "small", seed, [small(seed * _VECTORS + k, bits=bits) for k in range(_VECTORS)], cpus
    )


def vector_batch(seed: int, cpus: Sequence[str]) -> Batch:
    """Return functions of :mod:`tests.fuzz.generate`."""
    return _batch("vector", seed, [generate(seed * _VECTORS + k) for k in range(_VECTORS)], cpus)


def composed_batch(seed: int, cpus: Sequence[str]) -> Batch:
    """Return nests of fixed-point operations; those of every other pair of seeds went through
    LLVM's -O3, which drops cuts between them, and have no loops.
    """
    spelled = seed % 4 < 2
    made = [composed(seed * _VECTORS + k, loops=spelled) for k in range(_VECTORS)]
    batch = _batch("composed", seed, made, cpus)
    if spelled:
        return batch
    triple = binding.host_triple()
    text = binding.optimise(batch.text, triple=triple, cpu=batch.cpu, features="")
    return replace(batch, text=text)


def vectors(name: str, one: Callable[[int], Generated]) -> Generator:
    """Return the generator of batches of what is made of one seed each."""
    return lambda seed, cpus: _batch(
        name, seed, [one(seed * _VECTORS + k) for k in range(_VECTORS)], cpus
    )


def carried_batch(seed: int, cpus: Sequence[str]) -> Batch:
    """Return loops with spliced vectors."""
    cpu = random.Random(f"cpu {seed}").choices(cpus, [MARCHES[c] for c in cpus])[0]
    made = [carried(f"f{k}", seed * _VECTORS + k) for k in range(_VECTORS)]
    bodies = "\n".join(t for t, _ in made)
    text = "\n".join(['target triple = "x86_64-pc-linux-gnu"', "", bodies, *declared(bodies), ""])
    return Batch("carried", seed, text, tuple(case for _, case in made), cpu=cpu)


def csmith_batch(seed: int, cpus: Sequence[str]) -> Batch:
    """Return a program of csmith's, which is rewritten and not run; raises
    :class:`FileNotFoundError` without Debian's package ``csmith``.
    """
    words = ["csmith", "--seed", str(seed), "--no-volatiles", "--max-funcs", "4"]
    source = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60).stdout
    cpu = random.Random(f"cpu {seed}").choice(cpus)
    return Batch(
        "csmith",
        seed,
        compiled(source, [f"-march={cpu_name(cpu)}", f"-I{CSMITH_HEADERS}"]),
        (),
        cpu=cpu,
        source=source,
    )


def reductions_batch(seed: int, cpus: Sequence[str]) -> Batch:
    """Return loops that reduce."""
    cpu = random.Random(f"cpu {seed}").choices(cpus, [MARCHES[c] for c in cpus])[0]
    text, cases = functions(seed)
    return Batch("reductions", seed, text, cases, cpu=cpu)


GENERATORS: Final[dict[str, Generator]] = {
    "small": small_batch,
    "vector": vector_batch,
    "composed": composed_batch,
    "c": c_batch,
    "nests": nests_batch,
    "carried": carried_batch,
    "reductions": reductions_batch,
    "lookups": lookups_batch,
    "tables": vectors("tables", tables),
    "masks": vectors("masks", masks),
    "moves": vectors("moves", moves),
    "squares": vectors("squares", squares),
    "csmith": csmith_batch,
}


def make(name: str, seed: int) -> Batch:
    """Return the batch of a seed for the CPUs that this machine can be."""
    return GENERATORS[name](seed, machines())


if __name__ == "__main__":
    print(make(sys.argv[1], int(sys.argv[2])).text)
