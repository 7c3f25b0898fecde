"""Where the loads of a window and those that a rewrite added lie in memory, found apart from
:mod:`frontends.llvm.windows.regions`.

That module decides which loads share bytes and what to load once more; this one finds out for
itself, from the code before and after, and refuses what does not fit.  Addresses are added up by
LLVM, under the module's data layout.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from frontends.llvm.linked import binding
from frontends.llvm.meaning.lanes import Cannot
from frontends.llvm.text.ast import Function, Instr, IntType, Local, Module, Operand, PtrType
from frontends.llvm.text.identity import Contents, contents, tokens
from frontends.llvm.text.layout import sizes_of, to_signed, type_names
from frontends.llvm.text.rewording import spell
from frontends.llvm.text.syntax import VectorType, integer_shape, is_sum, number
from frontends.llvm.windows.regions import Input

# The name of a pointer, or none and a symbol; then, for each index that is added, the bytes
# that it counts and its name.
Base: TypeAlias = tuple[str, ...]
Origin: TypeAlias = tuple[Base, int, int, tuple[int, int]]
_WRITERS: Final = {"store", "fence", "atomicrmw", "cmpxchg", "invoke", "callbr", "va_arg"}


@dataclass(frozen=True, slots=True)
class Reach:
    """Bytes that a load reads: a pointer that nothing known leads to, bytes behind it, how many;
    and which state of memory.
    """

    base: Base
    offset: int
    size: int
    state: tuple[int, int]


@lru_cache(maxsize=1 << 14)
def _offsets(
    layout: str, names: tuple[str, ...], steps: tuple[tuple[str, str, str], ...]
) -> tuple[int | None, ...]:
    return tuple(binding.constant_offsets(layout, names, steps))


class Memory:
    """The loads of one function of a module with a data layout."""

    def __init__(self, module: Module, function: Function, layout: str) -> None:
        self._layout = layout
        self._names = tuple(
            f"{name} = type {body}" for name, body in sorted(type_names(module.lines).items())
        )
        sizes = sizes_of(layout, module.lines)
        self._wide = sizes is not None and sizes.layout.space(0).index_bits == 64
        self._contents = contents(module)
        self.defs, self.first = function.view.defs, function.view.first
        self._definition = function.view.definition
        self._states: dict[str, tuple[int, int]] = {}
        for k, block in enumerate(function.view.blocks):
            writes = 0
            for i in block.instrs:
                if i.name:
                    self._states[i.name] = (k, writes)
                writes += may_write(i, self._contents)

    def reach(self, i: Instr) -> Reach | None:
        """Return what a plain load of whole bytes reads, None for another instruction; one whose
        range makes it poison is not what is read there.
        """
        shape, said = integer_shape(i.type), {kind for kind, _ in i.metadata}
        if i.opcode != "load" or not i.known or shape is None or shape[1] % 8:
            return None
        if "range" in said and "noundef" not in said:
            return None
        base, offset = self._address(i.operands[0])
        return Reach(base, offset, shape[0] * shape[1] // 8, self._states[i.name])

    def _address(self, pointer: Operand) -> tuple[Base, int]:
        total = 0
        indices: list[str] = []
        while isinstance(pointer, Local) and isinstance(pointer.type, PtrType):
            i = self._definition(pointer)
            more = None if i is None else self._more(i, indices)
            if i is None or more is None:
                return (self.first(pointer.name), *indices), total
            total, pointer = total + more, i.operands[1]
        return ("", "symbol", spell(pointer), *indices), total

    def _more(self, i: Instr, indices: list[str]) -> int | None:
        """Return how many bytes an instruction adds to a pointer, and note an index that it adds;
        None for another instruction.
        """
        step = _step(i) or self._add_index(i, indices)
        return None if step is None else _offsets(self._layout, self._names, (step,))[0]

    def _add_index(self, i: Instr, indices: list[str]) -> tuple[str, str, str] | None:
        """Note the value that a getelementptr moves by, and return it with the number in its place
        that is added to that value.
        """
        if i.opcode != "getelementptr" or not i.known or len(i.operands) != 3 or not self._wide:
            return None
        kind, pointer, o = i.operands
        stride = _offsets(self._layout, self._names, ((str(kind.type), "", ", i64 1"),))[0]
        if stride is None or (pointer.type, o.type) != (PtrType(), IntType(64)):
            return None
        more, times = 0, 1
        while (x := self._definition(o)) is not None and (found := _part(x)) is not None:
            o, n, factor = found
            more, times = more + n * times, times * factor
        if not isinstance(o, Local):
            return None
        indices += [str(to_signed(stride * times, 64)), o.name]
        return str(kind.type), "", f", i64 {to_signed(more, 64)}"

    def operand(self, i: Instr) -> Instr | None:
        """Return the instruction that gives the first operand of another."""
        return self._definition(i.operands[0])

    def splat(self, name: str) -> Instr | None:
        """Return a shuffle that has one lane in all, None where a value is none."""
        i = self.defs.get(name)
        return i if i is not None and i.opcode == "shufflevector" and set(i.mask) == {0} else None

    def broadcast(self, name: str) -> Instr | None:
        """Return the load whose scalar fills every lane of a vector, None where it is not so."""
        if (splat := self.splat(name)) is None:
            return None
        one = self.operand(splat)
        if one is None or one.opcode != "insertelement" or number(one.operands[2]) != 0:
            return None
        return self._definition(one.operands[1])


def _step(i: Instr) -> tuple[str, str, str] | None:
    """Return the element type of a getelementptr with constant indices, its address space and the
    indices, as LLVM writes them; None for another instruction.
    """
    if i.opcode != "getelementptr" or not i.known or not isinstance(i.operands[1].type, PtrType):
        return None
    kind, pointer, *indices = i.operands
    if not indices or any(number(o) is None or not isinstance(o.type, IntType) for o in indices):
        return None
    given = "".join(f", {o.type} {spell(o)}" for o in indices)
    return str(kind.type), str(pointer.type).removeprefix("ptr"), given


def _part(i: Instr) -> tuple[Operand, int, int] | None:
    """Return what an instruction adds a number to, or takes that often, and the two numbers; None
    for another instruction.
    """
    n = number(i.operands[1]) if len(i.operands) == 2 and i.known else None
    if n is None:
        return None
    known = {"sub": (-n, 1), "mul": (0, n), "shl": (0, 1 << n % 64)}
    more, times = (n, 1) if is_sum(i) else known.get(i.opcode, (0, 0))
    return (i.operands[0], more, times) if times else None


def may_write(i: Instr, said: Contents) -> bool:
    """Tell whether an instruction may write memory, end an object's life or not come back."""
    if i.opcode == "call":
        return not _computes(i.callee, said)
    return i.opcode in _WRITERS or (i.opcode == "load" and not i.known)


def _computes(callee: str, said: Contents) -> bool:
    """Tell whether the module declares that a function writes no memory, as LLVM does for its
    intrinsics that compute values, and for masked loads.
    """
    head = tokens(said.named.get(f"@{callee}", ""))
    groups = [t for t in head if t[0] == "#" and t in said.named]
    lists = (head, *(tokens(said.group(g)) for g in groups))
    return callee.startswith("llvm.") and any(
        "memory(none)" in "".join(words)
        or ("memory(argmem:read)" in "".join(words) and "nosync" in words)
        for words in lists
    )


def check_regions(inputs: Sequence[Input], source: Memory) -> dict[str, Origin]:
    """Return of each region of memory its base, the byte at which it begins, the bits of an element
    and its state.

    Raises :class:`Cannot` where the leaves of a region do not lie in memory as they say.
    """
    found: dict[str, Origin] = {}
    for x in (x for x in inputs if x.leaf.region and x.made is None):
        if x.leaf.region[0] in "sv":
            alone = sum(y.leaf.region == x.leaf.region for y in inputs) == 1
            if not alone or not _fills(x, source):
                raise Cannot(f"{x.leaf.region} is no scalar in all lanes")
            continue
        place = _place(x, source)
        if found.setdefault(x.leaf.region, place) != place:
            raise Cannot(f"%{_name(x)} does not lie where its region has it")
    return found


def _name(x: Input) -> str:
    return x.operand.name if isinstance(x.operand, Local) else ""


def _fills(x: Input, source: Memory) -> bool:
    """Tell whether a leaf is a scalar in all lanes."""
    whole = not x.leaf.first and x.leaf.period == x.leaf.width
    return whole and (_scalar(x) or source.splat(_name(x)) is not None)


def _place(x: Input, source: Memory) -> Origin:
    """Return where the region begins that a leaf says it is of, as :func:`check_regions` does."""
    load = _load(x, source)
    reach = source.reach(load) if load is not None else None
    leaf, bits = x.leaf, x.leaf.period or x.leaf.width * x.leaf.lanes
    odd = leaf.first % 8 or leaf.period not in (0, leaf.width)
    if reach is None or 8 * reach.size != bits or odd:
        raise Cannot(f"%{_name(x)} is no load of {bits} bits")
    return reach.base, reach.offset - leaf.first // 8, leaf.width, reach.state


def _scalar(x: Input) -> bool:
    """Tell whether a leaf's operand is a scalar of its lanes' width."""
    return x.leaf.scalar and x.operand.type == IntType(x.leaf.width)


def _load(x: Input, source: Memory) -> Instr | None:
    """Return the load that a leaf's operand is, or repeats in all lanes."""
    name = _name(x)
    return source.broadcast(name) if x.leaf.period and not _scalar(x) else source.defs.get(name)


def added_loads(
    inputs: Sequence[Input], source: Memory, written: Memory, new: Mapping[str, str]
) -> Iterator[tuple[str, Input]]:
    """Yield the written values (``%name``) that are the loads which a rewrite added, each with its
    leaf.

    ``new`` renames the source's values.  Raises :class:`Cannot` where a load reads a byte that
    the source does not load there, or claims an alignment that no load of the source has.
    """
    regions = check_regions(inputs, source)
    among = [x for x in inputs if x.leaf.region in regions]
    old = [r for x in among if x.made is None and (r := _read(x, source)) is not None]
    for i in written.defs.values():
        load = (written.operand(i) if i.opcode == "shufflevector" else None) or i
        reach = written.reach(load)
        for x in among if reach is not None and isinstance(i.type, VectorType) else ():
            base, start, width, state = regions[x.leaf.region]
            bits = x.leaf.period or x.leaf.width * x.leaf.lanes
            wanted = Reach(_rename(base, written, new), start + x.leaf.first // 8, bits // 8, state)
            mask = () if i is load else tuple(k % (bits // width) for k in range(x.leaf.lanes))
            shape = (x.leaf.lanes, width) if width == x.leaf.width else None
            found = (reach, i.mask, integer_shape(i.type))
            if x.made is not None and found == (wanted, mask, shape):
                _license(load, wanted, base, old)
                yield f"%{i.name}", x


def _read(x: Input, source: Memory) -> tuple[Reach, int] | None:
    load = _load(x, source)
    reach = source.reach(load) if load is not None else None
    return (reach, load.align) if load is not None and reach is not None else None


def _rename(base: Base, written: Memory, new: Mapping[str, str]) -> Base:
    """Return what a base of the source is in what was written."""
    pointer, *indices = (x if k % 2 else new.get(x, x) for k, x in enumerate(base))
    return written.first(pointer), *indices


def _license(load: Instr, reach: Reach, base: Base, old: Sequence[tuple[Reach, int]]) -> None:
    mine = [(r, a) for r, a in old if (r.base, r.state) == (base, reach.state)]
    read = {k for r, _ in mine for k in range(r.offset, r.offset + r.size)}
    if not set(range(reach.offset, reach.offset + reach.size)) <= read:
        raise Cannot(f"%{load.name} reads bytes that the source does not")
    known = (r.offset for r, a in mine if a >= load.align)
    if load.align != 1 and all((at - reach.offset) % load.align for at in known):
        raise Cannot(f"%{load.name} claims an alignment that no load of the source has")
    if load.metadata:
        raise Cannot(f"%{load.name} promises something of its value")
