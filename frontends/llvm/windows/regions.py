"""What the inputs of a window have in common: memory that several of them read, and scalars that
fill whole vectors.

Loads are of one region where they have one base pointer, constant offsets, elements of one width on
one grid, and nothing between them that may write.  A window's leaves stay what they are and say
where in the region they lie.  Beside them come vectors that one more load gives, of bytes that
other loads read anyway (:class:`Made`): neighbouring scalars repeated, neighbouring vectors as one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Final, TypeAlias

from frontends.llvm.function.addresses import Address, Addresses
from frontends.llvm.limits import (
    REGIONS_FEW_SCALARS,
    REGIONS_MOST_SCALARS,
    REGIONS_PART,
    REGIONS_SHORT,
)
from frontends.llvm.text.ast import Function, Instr, IntType, Local, Operand, VectorType
from frontends.llvm.text.layout import Sizes
from frontends.llvm.text.syntax import integer_shape, is_masked_load, number
from isel.model.window import Leaf

_QUIET: Final = frozenset((
    "load", "getelementptr", "phi", "dbg", "icmp", "fcmp", "select", "freeze", "alloca",
    "ptrtoint", "inttoptr", "bitcast", "zext", "sext", "trunc", "shufflevector",
    "insertelement", "extractelement", "add", "sub", "mul", "and", "or", "xor", "shl", "lshr",
    "ashr", "udiv", "sdiv", "urem", "srem",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Read:
    """A load: ``key`` says what it may share bytes with (block, writes before it, line of its
    address, width of its elements), ``first`` and ``bits`` what it reads.
    """

    key: tuple[object, ...]
    width: int
    first: int
    bits: int


@dataclass(frozen=True, slots=True)
class Made:
    """A load to be added: ``count`` elements at ``pointer`` and ``offset`` bytes after the line
    ``after``; what it is as a read.
    """

    pointer: Operand
    count: int
    after: int
    read: Read
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Input:
    """A leaf of a window and the operand that it stands for; ``fixed``: provably neither poison nor
    undef.

    One with ``made`` stands for no operand: it is that load, repeated until the leaf is full.  A
    leaf that is a scalar has one as its operand, which is repeated in all of its lanes.  One with
    ``planes`` is a load that the function takes apart: into every second, third … element.
    """

    leaf: Leaf
    operand: Operand
    fixed: bool
    made: Made | None = None
    planes: int = 1


_Part: TypeAlias = tuple[Read, int]


def scalar_of(i: Instr | None, defs: Callable[[str], Instr | None]) -> Local | None:
    """Return the scalar that an instruction puts in all lanes, none of which may be poison
    instead.
    """
    if i is None or i.opcode != "shufflevector" or set(i.mask) != {0}:
        return None
    vector = i.operands[0]
    source = defs(vector.name) if isinstance(vector, Local) else None
    if source is None or source.opcode != "insertelement" or number(source.operands[2]) != 0:
        return None
    return source.operands[1] if isinstance(source.operands[1], Local) else None


class Regions:
    """The loads of a function by the memory that they read."""

    def __init__(
        self, function: Function, pure: Callable[[Instr], bool], sizes: Sizes | None
    ) -> None:
        """``pure`` tells of a call whether it only computes a value; without ``sizes`` only
        equal addresses are known.
        """
        view = function.view
        self._addresses = Addresses(function, sizes) if sizes is not None else None
        self._defs = view.defs
        self._definition, self._first = view.definition, view.first
        self._reads: dict[str, Read] = {}
        for k, block in enumerate(view.blocks):
            writes = 0
            for i in block.instrs:
                plain = i.known and not {"volatile", "atomic"} & i.flags
                quiet = i.opcode in _QUIET or is_masked_load(i) or (i.opcode == "call" and pure(i))
                if not quiet or (i.opcode == "load" and not plain):
                    writes += 1
                elif i.opcode == "load" and not _is_special(dict(i.metadata)):
                    self._note(i, k, writes)

    def _note(self, i: Instr, block: int, writes: int) -> None:
        shape, place = integer_shape(i.type), self._place(i.operands[0])
        if shape is not None and place is not None and shape[1] % 8 == 0:
            key, first = (block, writes, place.line, shape[1]), 8 * place.offset
            self._reads[i.name] = Read(key, shape[1], first, shape[0] * shape[1])

    def _place(self, pointer: Operand) -> Address | None:
        """Return where a pointer that is a value leads, as itself where that is not known."""
        if not isinstance(pointer, Local):
            return None
        at = self._addresses.of(pointer) if self._addresses is not None else None
        return at or Address(f"%{self._first(pointer.name)}", (), 0)

    def read(self, name: str) -> Read | None:
        """Return what a load reads, if it may be shared."""
        return self._reads.get(name)

    def shared(self, inputs: Sequence[Input], register: int, bits: int = 0) -> tuple[Input, ...]:
        """Return the inputs of a window with their regions, and the vectors that may be made
        for registers of ``register`` bits, of which its results have ``bits``.
        """
        result = [self._repeat(k, x) for k, x in enumerate(inputs)]
        found: dict[tuple[object, ...], list[_Part]] = {}
        loads: dict[Read, Instr] = {}
        for k, x in enumerate(inputs):
            load = self._load(x)
            if load is not None:
                read = self._reads[load.name]
                found.setdefault(read.key, []).append((read, k))
                loads[read] = load
        made: list[Input] = []
        number = 0
        for cluster in (c for parts in found.values() for c in _clusters(parts)):
            first, width = cluster[0][0].first, cluster[0][0].width
            given = [result[k] for _, k in cluster]
            new = list(self._make(cluster, width, given, loads, register))
            meet = (a.first + a.bits > b.first for (a, _), (b, _) in pairwise(cluster))
            if not new and not any(meet):
                continue
            name = f"m{number}"
            number += 1
            for r, k in cluster:
                leaf = replace(result[k].leaf, region=name, first=r.first - first)
                result[k] = replace(result[k], leaf=leaf)
            invariant = all(x.leaf.invariant for x in given)
            for m, period in new:
                at, lanes = m.read.first - first, register // width if period else m.count
                text = f"{name}.{at}.{m.count}"
                leaf = Leaf(text, width, lanes, name, at, period, invariant=invariant)
                made.append(Input(leaf, Local("", VectorType(lanes, IntType(width))), False, m))
        for k, x in enumerate(result) if len(inputs) == 1 and register <= 2 * REGIONS_PART else ():
            load = self._load(x)
            steps = () if load is None or x.leaf.period else self._steps(load, bits)
            for m in steps:
                leaf = replace(x.leaf, name=f"p{k}.{m.offset}", lanes=m.count, region=f"p{k}")
                leaf = replace(leaf, first=8 * m.offset)
                made.append(
                    Input(leaf, Local("", VectorType(m.count, IntType(leaf.width))), False, m)
                )
                result[k] = replace(x, leaf=replace(x.leaf, region=f"p{k}"))
        return (*result, *made)

    def _steps(self, load: Instr, bits: int) -> Iterator[Made]:
        """Yield parts of a load of which each has what a part of ``bits`` bits of results is made
        of, where these are more, but no power of two times as many.
        """
        read, part = self._reads[load.name], REGIONS_PART
        step, rest = divmod(part * read.bits, bits)
        ratio = bits // read.bits
        odd = bits > read.bits and (bits % read.bits or ratio & (ratio - 1))
        if not odd or rest or step % read.width or read.bits < part:
            return
        for at in range(step, read.bits - step + 1, step):
            first = min(at, read.bits - part)
            inner = Read(read.key, read.width, read.first + first, part)
            yield Made(load.operands[0], part // read.width, load.line, inner, first // 8)

    def _scalar(self, x: Input) -> Operand | None:
        """Return the scalar that fills all lanes of an input."""
        if x.leaf.scalar:
            return x.operand
        return scalar_of(self._definition(x.operand), self._defs.get)

    def _repeat(self, k: int, x: Input) -> Input:
        """Return an input, one of a scalar in all lanes with a region of its own."""
        if x.leaf.scalar or x.leaf.lanes == 1 or self._scalar(x) is None:
            return x
        return replace(x, leaf=replace(x.leaf, region=f"s{k}", period=x.leaf.width))

    def _load(self, x: Input) -> Instr | None:
        """Return the load that gives an input, or the scalar in all its lanes, as a whole."""
        scalar = self._scalar(x)
        load = self._definition(x.operand if scalar is None else scalar)
        read = None if load is None else self._reads.get(load.name)
        bits = x.leaf.width * (x.leaf.lanes if scalar is None else 1)
        if read is None or (read.width, read.bits) != (x.leaf.width, bits):
            return None
        return load

    def _make(
        self,
        cluster: Sequence[_Part],
        width: int,
        inputs: Sequence[Input],
        loads: dict[Read, Instr],
        register: int,
    ) -> Iterator[tuple[Made, int]]:
        """Yield the loads that give several neighbours of a cluster at once, with their period."""
        pairs = [(r, x.leaf.period) for (r, _), x in zip(cluster, inputs, strict=True)]
        for run in _runs([r for r, period in pairs if period]):
            count = min(1 << (len(run).bit_length() - 1), REGIONS_MOST_SCALARS // width)
            few = REGIONS_FEW_SCALARS // width
            parts = [tuple(run[:count]), tuple(run[-count:])]
            if 1 < few < count:
                parts += [tuple(run[k : k + few]) for k in range(len(run) - few + 1)]
            for part in dict.fromkeys(parts):
                if len(part) > 1:
                    yield _load(part, loads), len(part) * width
        for run in _runs([r for r, period in pairs if not period]):
            per = register // run[0].bits
            if run[0].bits <= REGIONS_SHORT:
                per = min(per, 1 << (len(run).bit_length() - 1))
            for at in range(0, len(run) - per + 1, max(per, 1)):
                if per > 1:
                    yield _load(run[at : at + per], loads), 0


def _is_special(said: Mapping[str, str]) -> bool:
    """Tell whether a load is to stay as it is (R9), or may be poison where another one of the same
    bytes is none.
    """
    return "nontemporal" in said or ("range" in said and "noundef" not in said)


def _load(parts: Sequence[Read], loads: dict[Read, Instr]) -> Made:
    first = parts[0]
    read = replace(first, bits=sum(r.bits for r in parts))
    return Made(
        loads[first].operands[0], read.bits // read.width, max(loads[r].line for r in parts), read
    )


def _runs(reads: Sequence[Read]) -> Iterator[list[Read]]:
    """Yield reads of one size that follow each other without a gap, two and more, each once."""
    run: list[Read] = []
    for r in sorted(dict.fromkeys(reads), key=lambda r: r.first):
        if run and (r.bits != run[0].bits or r.first != run[-1].first + run[-1].bits):
            if len(run) > 1:
                yield run
            run = []
        run.append(r)
    if len(run) > 1:
        yield run


def _clusters(members: Sequence[_Part]) -> Iterator[list[_Part]]:
    """Yield the groups of two and more reads that touch or overlap, one with the next, on one
    grid of elements.
    """
    width = members[0][0].width
    ordered = sorted(members, key=lambda m: (m[0].first % width, m[0].first, m[1]))
    for _, grid in groupby(ordered, key=lambda m: m[0].first % width):
        cluster: list[_Part] = []
        end = 0
        for m in grid:
            if cluster and m[0].first > end:
                if len(cluster) > 1:
                    yield cluster
                cluster = []
            cluster.append(m)
            end = max(end, m[0].first + m[0].bits)
        if len(cluster) > 1:
            yield cluster
