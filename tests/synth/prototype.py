"""The prototype's windows as windows of the search, and what its own programs cost; run as a
module, it prints both beside ours.

The prototype is read from the shared folder: its lane graphs are made by its own `core.py`,
`windows.py` and `held.py`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from isel.ir import build as b
from isel.ir.expr import Expr, const, elem
from isel.model.answer import Options, Result
from isel.model.machine import Machine
from isel.model.program import Program
from isel.model.window import Leaf, Root, Window
from isel.synth.layout.bounds import PRICES
from isel.synth.synthesize import make_synthesizer
from semantics import target_named
from tests.tools import shared

FOLDER: Final = shared() / "prototype"
CPU: Final = "sapphirerapids"
_REGISTER: Final = 512


@dataclass(frozen=True, slots=True)
class Known:
    """The instructions of the prototype's program, by our names, and how many constants it
    reads (zero is none).
    """

    counts: Mapping[str, int]
    constants: int = 0


def _known(constants: int = 0, **counts: int) -> Known:
    return Known({f"_mm512_{k}": n for k, n in counts.items()}, constants)


# What `vs4.py` and `held.py` print, one entry a window by the first word of its name; complex
# multiply is not solved there, and the row of a Gaussian filter is the one of four byte operations
# that its notes give.
KNOWN: Final[Mapping[str, Known | None]] = {
    "01": _known(1, permutex2var_epi16=2, dpwssd_epi32=1),
    "02": _known(dpwssd_epi32=1),
    "03": _known(2, permutex2var_epi8=4, unpacklo_epi8=2, dpbusd_epi32=1),
    "03b": _known(dpbusd_epi32=1),
    "04": _known(2, min_epu16=2, packus_epi16=1, permutexvar_epi64=1),
    "05": _known(subs_epu8=2, add_epi8=1),
    "05b": _known(subs_epu16=2, add_epi16=1),
    "06": _known(avg_epu8=1),
    "07": _known(mulhrs_epi16=1),
    "08": _known(
        unpacklo_epi8=12,
        unpackhi_epi8=12,
        slli_epi16=8,
        add_epi16=18,
        sub_epi16=4,
        abs_epi16=4,
        packus_epi16=1,
    ),
    "09": _known(avg_epu8=2, add_epi8=1, sub_epi8=1),
    "10": _known(
        4,
        permutex2var_epi32=4,
        mul_epi32=2,
        add_epi64=2,
        srai_epi64=2,
        cvtepi64_epi32=2,
        inserti64x4=1,
    ),
    "11": _known(2, packs_epi32=2, permutexvar_epi64=3, packus_epi16=1),
    "12": _known(add_epi8=1, avg_epu8=1, sub_epi8=1),
    "13": _known(
        2,
        unpacklo_epi8=3,
        unpackhi_epi8=3,
        mullo_epi16=4,
        sub_epi16=2,
        add_epi16=6,
        srli_epi16=4,
        packus_epi16=1,
    ),
    "14": _known(
        extracti64x4_epi64=2, cvtepi32_epi64=4, add_epi64=2, cvtsepi64_epi32=2, inserti64x4=1
    ),  # it names no move of the upper halves
    "15": _known(4, permutex2var_epi16=4, dpwssds_epi32=2),
    "h1": _known(add_epi16=1, max_epi16=1),
    "h2": _known(unpacklo_epi8=2, unpackhi_epi8=2, mulhi_epu16=2, packus_epi16=1),
    "h3": _known(1, unpacklo_epi8=3, unpackhi_epi8=3, add_epi16=4, mulhi_epi16=2, packus_epi16=1),
    "h4": _known(1, permutex2var_epi8=1, avg_epu8=1),
    "h5": _known(max_epi16=1, min_epi16=1, sub_epi16=1),
    "h6": _known(adds_epu8=1),
    "h7": _known(1, packs_epi16=1, permutexvar_epi64=1),
    "h8": None,
    "h9": _known(max_epu8=2),
    "h10": _known(and_si512=1, andnot_si512=1, add_epi8=1),
    "h11": _known(mulhi_epi16=1),
    "h12": _known(
        3, unpacklo_epi16=1, unpackhi_epi16=1, dpwssd_epi32=2, srai_epi32=2, permutex2var_epi16=1
    ),
}


@cache
def machine() -> Machine:
    """Return the machine of the comparison: registers of 512 bits."""
    target = target_named("x86")
    features = target.features(CPU, "")
    return Machine(
        target, CPU, features, target.vector_bits(features, {"prefer-vector-width": "512"})
    )


def cost_of(known: Known) -> int:
    """Return what the prototype's program costs in our prices."""
    by_name = machine().by_name
    return (
        sum(n * machine().cost(by_name[name]) for name, n in known.counts.items())
        + known.constants * PRICES.constant
    )


def price_of(program: Program) -> int:
    """Return what a program of ours costs, without zeros and the hundredth that each view of
    half a register counts to break ties.
    """
    zeros = sum(s.kind == "const" and not any(s.values) for s in program.steps)
    return (
        program.cost
        - sum(s.kind in ("join", "slice") for s in program.steps)
        - zeros * PRICES.constant
    )


def windows() -> dict[str, Window]:
    """Return the prototype's 29 windows by name, in its order."""
    names: dict[str, Any] = {}
    held = (FOLDER / "held.py").read_text(encoding="utf-8").partition("for k,l in H.items():")[0]
    tuned = (FOLDER / "windows.py").read_text(encoding="utf-8").partition("if __name__")[0]
    for text in ((FOLDER / "core.py").read_text(encoding="utf-8"), tuned, held):
        exec(text.replace("from core import *", "").replace("from vs4 import *", ""), names)
    nodes = names["G"].n
    return {
        name: _window(nodes, lanes) for name, lanes in {**names["windows"](), **names["H"]}.items()
    }


def _window(nodes: Sequence[tuple[str, int, tuple[int, ...], Any]], lanes: Sequence[int]) -> Window:
    done: dict[int, Expr] = {}
    registers: dict[str, tuple[int, int]] = {}

    def term(at: int) -> Expr:
        if at not in done:
            op, width, args, attr = nodes[at]
            if op == "v":
                name, i = attr
                registers[name] = (width, max(registers.get(name, (0, 0))[1], i + 1))
                done[at] = elem(name, i * width, width)
            else:
                done[at] = (
                    const(attr, width)
                    if op == "c"
                    else _made(op, width, [term(a) for a in args], attr)
                )
        return done[at]

    roots = tuple(term(at) for at in lanes)
    leaves = tuple(Leaf(name, width, count) for name, (width, count) in registers.items())
    return Window(leaves, (Root(roots[0].width, roots, (const(1, 1),) * len(roots)),))


def _made(op: str, width: int, args: list[Expr], attr: int) -> Expr:
    match op:
        case "ext":
            return b.extract(args[0], attr, width)
        case "cat":
            return b.concat(args[1], args[0])
        case "zext" | "sext":
            return b.make(op, (args[0],), (width,)) if args[0].width < width else args[0]
        case "shl" | "lshr" | "ashr":
            return b.make(op, (args[0], const(attr, width)))
        case _:
            return b.make(op, tuple(args))


def search(window: Window) -> Result:
    """Search one window as ``isel opt`` does."""
    synthesizer = make_synthesizer(machine(), Options())
    synthesizer.prepare([window])
    return synthesizer.search(window)


def main() -> None:
    """Print each window's cost beside the prototype's, and the seconds of its search."""
    seconds = []
    for name, window in windows().items():
        first = time.perf_counter()
        result = search(window)
        seconds.append(time.perf_counter() - first)
        known = KNOWN[name.split()[0]]
        ours = price_of(result.candidates[0].program) if result.candidates else None
        sys.stdout.write(
            f"{name}: {ours} against {None if known is None else cost_of(known)}, {seconds[-1]:.2f} s\n"
        )
        sys.stdout.flush()
    sys.stdout.write(f"median {sorted(seconds)[len(seconds) // 2]:.2f} s\n")


if __name__ == "__main__":
    main()
