"""Functions that only move bits, which is seen by what each single bit becomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from isel.ir.expr import Expr, leaves
from isel.ir.ops import Lanes, unsigned_dtype
from isel.synth.limits import BIT_SAMPLES, BYTE, MAX_KEPT, WORD
from isel.synth.values.lanefn import LaneFn, lane_fn, probe

Bit: TypeAlias = tuple[int, int]  # a hole, and which bit of it
Given: TypeAlias = Mapping[int, Sequence[int]]  # literals by hole


def moves_of(fn: LaneFn, given: Given) -> list[tuple[Bit | None, ...] | None]:
    """Return for each literal that holes are ``given`` which bit each bit of a result is, None for
    zero; None where it is not one bit, or where that depends on others.
    """
    bits = [(k, at) for k, w in enumerate(fn.widths) if k not in given for at in range(w)]
    results, held = _run(fn, given, bits)
    one, rest = results[: len(bits)], results[len(bits) :]
    joined = np.bitwise_xor.reduce(held[:, :, None] * one, axis=1)
    right = (joined == rest).all(axis=0).tolist()
    return [_bits(fn, bits, x) if y else None for x, y in zip(one.T.tolist(), right, strict=True)]


def _run(fn: LaneFn, given: Given, bits: Sequence[Bit]) -> tuple[Lanes, Lanes]:
    """Return results of single bits, samples and zeros, and which bits are set in the latter."""
    args, rest = list[Lanes](), list[list[int]]()
    for k, w in enumerate(fn.widths):
        rest.append([*probe(k, w)[:BIT_SAMPLES].tolist(), 0])
        rows = [[(j == k) << at] for j, at in bits] + [[x] for x in rest[k]]
        args.append(np.array([given[k]] if k in given else rows, dtype=unsigned_dtype(w)))
    held = np.array([[x >> at & 1 for x in rest[k]] for k, at in bits], dtype=bool).T
    return np.broadcast_to(fn.run(*args), np.broadcast_shapes(*(a.shape for a in args))), held


def _bits(fn: LaneFn, bits: Sequence[Bit], images: Sequence[int]) -> tuple[Bit | None, ...] | None:
    of: list[list[Bit | None]] = [[] for _ in range(fn.width)]
    for bit, image in zip(bits, images, strict=True):
        while image:
            of[image.bit_length() - 1].append(bit)
            image -= 1 << image.bit_length() - 1
    return tuple(x[0] if x else None for x in of) if max(map(len, of)) < 2 else None


@lru_cache(maxsize=MAX_KEPT)
def bits_of(term: Expr) -> tuple[Bit | None, ...] | None:
    """Return which bit of its formals each bit of a canonical term is, None where it computes."""
    plain = not term.width % BYTE and max(x.width for x in (term, *leaves(term))) <= WORD
    return moves_of(lane_fn(term), {})[0] if plain else None
