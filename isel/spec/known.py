"""What the search asks of an instruction's lanes before it applies it, computed from them or
remembered by an index.

The canonical lane function, the gather map, and which of its immediates permute the bits of the
lane number.  An index (:mod:`isel.spec.index`) keeps all of it, so that no lane is evaluated before
it is used.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from isel.deferred import deferred
from isel.ir.canon import canonical, matched
from isel.ir.expr import Expr, leaves, postorder
from isel.spec.instruction import Instruction, Role

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
else:
    np = deferred("numpy")

Ints: TypeAlias = "npt.NDArray[np.int64]"
Fixed = tuple[tuple[str, int], ...]
MAX_HOLES: Final = 17
_MAX_NODES: Final = 160
_LIKELY: Final = 64
_ELEMENT: Final = 12  # bits of an element's number in a gather map
_ELEMENTS: Final = (1 << _ELEMENT) - 1


class Permute(NamedTuple):
    """A permute by index: the number of each lane's table.

    A table holds, for zero and then for each element of the other operands, the least index that
    makes the lane so; -1 where none does.
    """

    by_lane: tuple[int, ...]
    tables: tuple[tuple[int, ...], ...]


class Known(NamedTuple):
    """The answers for one instruction: terms by their number in a table, swizzles by the value of
    the immediate.

    ``values`` holds the function of lane 0 by some values of the only immediate.  A swizzle is the
    keys ``operand << 16 | element`` of the lanes 0, 1, 2, 4, … (:func:`swizzle_map`).  ``gather``
    is the gather map as text; None where the lanes differ, or where the immediates are to decide.
    """

    term: Callable[[int], Expr]
    first: int | None
    values: Mapping[int, int | None]
    gather: str | None
    enumerable: bool
    moves: bool
    swizzles: tuple[tuple[int, tuple[int, ...]], ...]
    permute: Permute | None


def remembered(i: Instruction) -> Known | None:
    """Return what an index remembers of the instruction's lanes, if it has that from one."""
    found = getattr(i.lane, "known", None)
    return found if isinstance(found, Known) else None


def first_lane(i: Instruction, fixed: Fixed) -> Expr | None:
    """Return the canonical function of lane 0; None where it reads nothing, or is too large to
    be searched for.
    """
    known = remembered(i)
    if known is not None and (not fixed or fixed[0][1] in known.values):
        number = known.values[fixed[0][1]] if fixed else known.first
        return None if number is None else known.term(number)
    e = i.lane(0, dict(fixed))
    return canonical(e)[0] if _searchable(e) else None


def _searchable(e: Expr) -> bool:
    return (
        sum(1 for _ in islice(postorder([e]), _MAX_NODES + 1)) <= _MAX_NODES
        and 0 < len(leaves(e)) <= MAX_HOLES
    )


def gather(i: Instruction, fixed: Fixed, *, anew: bool = False) -> tuple[Ints, Ints] | None:
    """Return operand and element by hole and lane where every lane is the function of lane 0,
    else None; ``anew`` where that function is too large to be remembered.
    """
    known = remembered(i)
    if known is not None and not i.immediates and not anew:
        return None if known.gather is None else _unpacked(known.gather, i.lanes)
    return _gather(i, fixed)


def _gather(i: Instruction, fixed: Fixed) -> tuple[Ints, Ints] | None:
    number = {o.name: n for n, o in enumerate(i.operands)}
    width = {o.name: o.width for o in i.operands}
    values = dict(fixed)
    fn, holes = canonical(i.lane(0, values))
    keys = np.zeros((len(holes), i.lanes), dtype=np.int64)
    for lane in range(i.lanes):
        found = matched(fn, i.lane(lane, values))
        if found is None:
            return None
        for k, e in enumerate(found):
            if e.width != width[e.source] or e.offset % e.width:
                return None
            keys[k, lane] = number[e.source] << _ELEMENT | e.offset // e.width
    return keys >> _ELEMENT, keys & _ELEMENTS


def packed(found: tuple[Ints, Ints]) -> str:
    """Return a gather map as text."""
    return base64.b64encode((found[0] << _ELEMENT | found[1]).astype("<u2").tobytes()).decode()


def _unpacked(text: str, lanes: int) -> tuple[Ints, Ints]:
    keys = np.frombuffer(base64.b64decode(text), dtype="<u2").astype(np.int64).reshape(-1, lanes)
    return keys >> _ELEMENT, keys & _ELEMENTS


def class_of(i: Instruction, fixed: Fixed) -> str:
    """Return the name of the instruction's equivalence class at these immediates, in their
    order; empty where none is known.
    """
    setting = tuple(v for _, v in fixed)
    return next((m.name for m in i.classes if not m.settings or setting in m.settings), "")


def is_masked(i: Instruction) -> bool:
    """Tell whether an instruction is another one under a predicate: by its stage, or by a mask
    in a formula of more than one operation.
    """
    if i.predication.kind != "none":
        return True
    if i.width == 1 or not any(o.role is Role.MASK for o in i.operands):
        return False
    term = first_lane(i, tuple((m.name, m.values[0]) for m in i.immediates))
    return term is None or sum(1 for e in postorder([term]) if e.args) > 1


def is_composite(i: Instruction) -> bool:
    """Tell whether this is an operation of LLVM's that becomes several instructions, which the name
    says (``generic_…``).
    """
    return i.name.startswith("generic_")


def likely_values(i: Instruction) -> tuple[int, ...]:
    """Return the legal values of an only immediate that programs suggest: widths and amounts of
    shifts.
    """
    return tuple(v for v in i.immediates[0].values if v <= _LIKELY)


def is_enumerable(i: Instruction) -> bool:
    """Tell whether an instruction has one lane function for all lanes that can be searched for (at
    the least or the greatest immediates).

    Others (carry-less products, affine maps over bits, rounds of hashes) are verified and matched
    as they stand.
    """
    known = remembered(i)
    if known is not None:
        return known.enumerable
    if is_masked(i):
        return False
    ends = [tuple((m.name, m.values[k]) for m in i.immediates) for k in (0, -1)]
    return any(first_lane(i, f) is not None and _gather(i, f) is not None for f in ends)


def moves_only(i: Instruction) -> bool:
    """Tell whether an instruction with immediates only moves elements, whatever they are (tried
    at three values).
    """
    known = remembered(i)
    if known is not None:
        return known.moves
    for part in (0, 1, 2):
        fn = first_lane(
            i, tuple((m.name, m.values[part * (len(m.values) - 1) // 2]) for m in i.immediates)
        )
        if fn is None or not fn.is_leaf:
            return False
    return True


def swizzles(i: Instruction) -> Iterator[tuple[int, Ints, Ints]]:
    """Yield the values of the only immediate with which an instruction permutes the bits of the
    lane number, with operand and element by lane.

    An instruction without immediates has the value 0.
    """
    known = remembered(i)
    if known is not None:
        for value, basis in known.swizzles:
            keys = _spanned(basis, i.lanes)
            yield value, keys >> 16, keys & 0xFFFF
        return
    for fixed in _fixings(i):
        found = swizzle_map(i, fixed)
        if found is not None:
            yield fixed[0][1] if fixed else 0, *found


def _fixings(i: Instruction) -> Sequence[Fixed]:
    if len(i.immediates) > 1:
        return ()
    return [((m.name, v),) for m in i.immediates for v in m.values] or [()]


def _spanned(basis: Sequence[int], lanes: int) -> Ints:
    keys = np.full(1, basis[0], dtype=np.int64)
    for k in basis[1:]:
        keys = np.concatenate([keys, keys ^ basis[0] ^ k])
    return keys[:lanes]


def basis_of(operand: Ints, index: Ints) -> tuple[int, ...]:
    """Return the keys of the lanes 0, 1, 2, 4, …, which are those of every lane."""
    keys = operand << 16 | index
    return tuple(int(keys[n]) for n in (0, *(1 << k for k in range((len(keys) - 1).bit_length()))))


def swizzle_map(i: Instruction, fixed: Fixed) -> tuple[Ints, Ints] | None:
    """Return operand and element by lane of an instruction that permutes the bits of the lane
    number, else None.

    The lanes 0, 1, 2, 4, … fix what every other lane must be (:func:`bit_permutation`), so most
    values of an immediate are dismissed after four lanes.
    """
    imm = dict(fixed)
    number = {o.name: n for n, o in enumerate(i.operands)}
    keys: list[int] = []
    for lane in range(i.lanes):
        e = i.lane(lane, imm)
        if e.op != "elem" or e.width != i.width:
            return None
        key = number[e.source] << 16 | e.offset // e.width
        low = lane & -lane
        if lane != low and key != keys[low] ^ keys[lane ^ low] ^ keys[0]:
            return None
        keys.append(key)
    made = np.array(keys, dtype=np.int64)
    operand, index = made >> 16, made & 0xFFFF
    is_one = bit_permutation(operand, index, tuple(o.lanes for o in i.operands))
    return (operand, index) if is_one else None


def bit_permutation(operand: Ints, index: Ints, sizes: tuple[int, ...]) -> bool:
    """Tell whether a swizzle permutes the bits of the lane number (each source bit is one lane bit,
    its complement, or fixed).

    Such swizzles (unpacks, half and quarter exchanges, even/odd orders) compose into every layout
    that the gather maps of compute instructions need; the other values of their immediates are left
    to exact matching.
    """
    n = len(index)
    if n & (n - 1) or len(set(sizes)) != 1:
        return False
    keys = operand * sizes[0] + index
    bits = max(int(keys.max()).bit_length(), 1)
    lanes = np.arange(n)
    for b in range(bits):
        column = keys >> b & 1
        if bool((column == column[0]).all()):
            continue
        if not any(
            bool((column == (lanes >> k & 1)).all()) or bool((column == 1 - (lanes >> k & 1)).all())
            for k in range(n.bit_length() - 1)
        ):
            return False
    return len(set(keys.tolist())) == n or len(set(keys.tolist())) == 1
