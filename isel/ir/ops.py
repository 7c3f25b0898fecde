"""Every primitive, once: name, typing rule, integer meaning, numpy meaning, SMT-LIB meaning,
properties.

The table is the only place that knows what an operation means.  The printer, the parser, the
interpreters and the solver encodings are loops over it.  Primitives are SMT-LIB QF_BV operators
(SMT-LIB 2.7, theory FixedSizeBitVectors and logic QF_BV); everything else expands into them
(:mod:`isel.rules.derived`).

Integer meanings take and give unsigned Python integers below ``2**width``; numpy meanings take and
give arrays of the *natural* unsigned type of the width (8, 16, 32 or 64 bits) and serve widths up
to 64.  Both may leave excess bits set: the interpreter reduces modulo ``2**width``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from isel.deferred import deferred

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
else:
    np = deferred("numpy")


Lanes: TypeAlias = "npt.NDArray[np.unsignedinteger]"
SignedLanes: TypeAlias = "npt.NDArray[np.signedinteger]"
Attr: TypeAlias = tuple[int | str, ...]
_T = TypeVar("_T", int, "Lanes")


@cache
def _dtypes() -> tuple[
    tuple[np.dtype[np.unsignedinteger], ...], tuple[np.dtype[np.signedinteger], ...]
]:
    """The unsigned and the signed types of 8, 16, 32 and 64 bits."""
    return tuple(np.dtype(f"u{n}") for n in (1, 2, 4, 8)), tuple(
        np.dtype(f"i{n}") for n in (1, 2, 4, 8)
    )


class WidthError(TypeError):
    """The operands or attributes of an operation do not have widths it accepts."""


def natural(width: int) -> int:
    """Return the number of bits of the smallest machine integer that holds ``width`` bits (at
    most 64).
    """
    return 8 if width <= 8 else 16 if width <= 16 else 32 if width <= 32 else 64


def unsigned_dtype(width: int) -> np.dtype[np.unsignedinteger]:
    """Return the natural numpy type of a value of ``width`` bits."""
    return _dtypes()[0][natural(width).bit_length() - 4]


def signed_lanes(a: Lanes, w: int) -> SignedLanes:
    """Reinterpret ``w``-bit lanes as two's complement integers of their natural type."""
    n = natural(w)
    view: SignedLanes = a.view(_dtypes()[1][n.bit_length() - 4])
    if n == w:
        return view
    k = view.dtype.type(n - w)
    shifted: SignedLanes = (view << k) >> k
    return shifted


def signed(a: int, w: int) -> int:
    """Reinterpret the ``w``-bit unsigned integer ``a`` as two's complement."""
    return a - (1 << w) if a >> (w - 1) else a


def _raw(a: SignedLanes) -> Lanes:
    return a.view(_dtypes()[0][a.dtype.itemsize.bit_length() - 1])


def _small(b: npt.NDArray[np.bool_]) -> Lanes:
    return b.view(np.uint8)


# Typing rules: operand widths and attributes to result width.
Rule: TypeAlias = Callable[[Sequence[int], Attr], int]


def same(widths: Sequence[int], attr: Attr) -> int:
    """All operands have one width; so has the result."""
    first = widths[0]
    for w in widths:
        if w != first:
            raise WidthError(f"operand widths differ: {list(widths)}")
    return first


def predicate(widths: Sequence[int], attr: Attr) -> int:
    """All operands have one width; the result is one bit."""
    same(widths, attr)
    return 1


def extension(widths: Sequence[int], attr: Attr) -> int:
    """The attribute is the new width, wider than the operand's."""
    (width,) = attr
    if not isinstance(width, int) or width <= widths[0]:
        raise WidthError(f"cannot extend {widths[0]} bits to {width}")
    return width


def slice_of(widths: Sequence[int], attr: Attr) -> int:
    """The attributes are the lowest bit and the width of a slice of the operand."""
    low, width = attr
    if (
        not isinstance(low, int)
        or not isinstance(width, int)
        or low < 0
        or width < 1
        or low + width > widths[0]
    ):
        raise WidthError(f"no slice of {width} bits at {low} in {widths[0]} bits")
    return width


def joined(widths: Sequence[int], attr: Attr) -> int:
    """The result is as wide as the operands together."""
    return sum(widths)


def choice(widths: Sequence[int], attr: Attr) -> int:
    """The first operand is one bit, the others have the width of the result."""
    if widths[0] != 1:
        raise WidthError(f"condition is {widths[0]} bits wide, expected 1")
    return same(widths[1:], attr)


@dataclass(frozen=True, slots=True)
class Op:
    """One primitive.

    ``integer(args, widths, attr)`` and ``numpy(args, widths, attr)`` are its concrete meanings,
    where ``widths`` are the operands' widths; ``smt`` is the SMT-LIB function, whose result is a
    Bool where ``boolean`` is set (and then stands for one bit).
    """

    name: str
    arity: int
    rule: Rule
    integer: Callable[[Sequence[int], Sequence[int], Attr], int]
    numpy: Callable[[Sequence[Lanes], Sequence[int], Attr], Lanes]
    smt: str
    boolean: bool = False
    commutes: bool = False
    associates: bool = False


def _int_attr(attr: Attr, i: int) -> int:
    value = attr[i]
    assert isinstance(value, int)
    return value


def _udiv(a: int, b: int, w: int) -> int:
    return a // b if b else (1 << w) - 1


def _urem(a: int, b: int) -> int:
    return a % b if b else a


def _sdiv(a: int, b: int, w: int) -> int:
    x, y = signed(a, w), signed(b, w)
    if y == 0:
        return 1 if x < 0 else -1
    q = abs(x) // abs(y)
    return q if (x < 0) == (y < 0) else -q


def _srem(a: int, b: int, w: int) -> int:
    x, y = signed(a, w), signed(b, w)
    if y == 0:
        return x
    r = abs(x) % abs(y)
    return -r if x < 0 else r


def _clmul(a: _T, b: _T, w: int) -> _T:
    product = b * (a & 1)
    for k in range(1, w):
        product = product ^ (b << k) * (a >> k & 1)
    return product


def _np_shl(a: Lanes, b: Lanes, w: int) -> Lanes:
    if b.shape == (1,) and a.ndim:
        return a << b if int(b.flat[0]) < w else np.zeros_like(a)
    top = a.dtype.type(natural(w) - 1)
    zero = a.dtype.type(0)
    result: Lanes = np.where(b < w, a << np.minimum(b, top), zero)
    return result


def _np_lshr(a: Lanes, b: Lanes, w: int) -> Lanes:
    if b.shape == (1,) and a.ndim:
        return a >> b if int(b.flat[0]) < w else np.zeros_like(a)
    top = a.dtype.type(natural(w) - 1)
    zero = a.dtype.type(0)
    result: Lanes = np.where(b < w, a >> np.minimum(b, top), zero)
    return result


def _np_ashr(a: Lanes, b: Lanes, w: int) -> Lanes:
    s = signed_lanes(a, w)
    k = np.minimum(b, b.dtype.type(w - 1)).astype(s.dtype)
    return _raw(s >> k)


def _np_udiv(a: Lanes, b: Lanes) -> Lanes:
    safe = np.where(b == 0, b.dtype.type(1), b)
    result: Lanes = np.where(b == 0, ~b, a // safe)
    return result


def _np_urem(a: Lanes, b: Lanes) -> Lanes:
    safe = np.where(b == 0, b.dtype.type(1), b)
    result: Lanes = np.where(b == 0, a, a % safe)
    return result


def _magnitude(a: Lanes, negative: npt.NDArray[np.bool_], w: int) -> Lanes:
    m: Lanes = np.where(negative, ~a + a.dtype.type(1), a)
    if natural(w) != w:
        m = m & a.dtype.type((1 << w) - 1)
    return m


def _np_sdiv(a: Lanes, b: Lanes, w: int) -> Lanes:
    na, nb = signed_lanes(a, w) < 0, signed_lanes(b, w) < 0
    one = a.dtype.type(1)
    q = _np_udiv(_magnitude(a, na, w), _magnitude(b, nb, w))
    q = np.where(na != nb, ~q + one, q)
    result: Lanes = np.where(b == 0, np.where(na, one, ~(one - one)), q)
    return result


def _np_srem(a: Lanes, b: Lanes, w: int) -> Lanes:
    na, nb = signed_lanes(a, w) < 0, signed_lanes(b, w) < 0
    r = _np_urem(_magnitude(a, na, w), _magnitude(b, nb, w))
    negated: Lanes = np.where(na, ~r + a.dtype.type(1), r)
    return negated


def _np_ite(c: Lanes, x: Lanes, y: Lanes) -> Lanes:
    """Choose without branches where that is faster: ``np.where`` takes a branch an element."""
    if x.dtype.itemsize == 8 or c.size < 1 << 10:
        return np.where(c != 0, x, y)
    return ((x ^ y) & np.negative(c.astype(x.dtype))) ^ y


def _np_extract(a: Lanes, attr: Attr) -> Lanes:
    low, width = _int_attr(attr, 0), _int_attr(attr, 1)
    result: Lanes = (a >> a.dtype.type(low)).astype(unsigned_dtype(width))
    return result


def _np_sext(a: Lanes, w: int, attr: Attr) -> Lanes:
    wide = unsigned_dtype(_int_attr(attr, 0))
    return _raw(signed_lanes(a, w).astype(_dtypes()[1][wide.itemsize.bit_length() - 1]))


def _np_concat(hi: Lanes, lo: Lanes, widths: Sequence[int]) -> Lanes:
    dtype = unsigned_dtype(widths[0] + widths[1])
    result: Lanes = (hi.astype(dtype) << dtype.type(widths[1])) | lo.astype(dtype)
    return result


# fmt: off
_PRIMITIVES: Final = (
    #   name       arity rule       integer: operands a, widths w, attributes t
    #              numpy                                                          SMT-LIB
    Op("add",      2, same,      lambda a, w, t: a[0] + a[1],                                lambda a, w, t: a[0] + a[1],                                   "bvadd",  commutes=True, associates=True),
    Op("sub",      2, same,      lambda a, w, t: a[0] - a[1],                                lambda a, w, t: a[0] - a[1],                                   "bvsub"),
    Op("mul",      2, same,      lambda a, w, t: a[0] * a[1],                                lambda a, w, t: a[0] * a[1],                                   "bvmul",  commutes=True, associates=True),
    # the product of polynomials over GF(2), its lower half: bits of a choose shifts of b
    Op("clmul",    2, same,      lambda a, w, t: _clmul(a[0], a[1], w[0]),                   lambda a, w, t: _clmul(a[0], a[1], w[0]),                      "clmul",  commutes=True),
    Op("udiv",     2, same,      lambda a, w, t: _udiv(a[0], a[1], w[0]),                    lambda a, w, t: _np_udiv(a[0], a[1]),                          "bvudiv"),
    Op("urem",     2, same,      lambda a, w, t: _urem(a[0], a[1]),                          lambda a, w, t: _np_urem(a[0], a[1]),                          "bvurem"),
    Op("sdiv",     2, same,      lambda a, w, t: _sdiv(a[0], a[1], w[0]),                    lambda a, w, t: _np_sdiv(a[0], a[1], w[0]),                    "bvsdiv"),
    Op("srem",     2, same,      lambda a, w, t: _srem(a[0], a[1], w[0]),                    lambda a, w, t: _np_srem(a[0], a[1], w[0]),                    "bvsrem"),
    Op("and",      2, same,      lambda a, w, t: a[0] & a[1],                                lambda a, w, t: a[0] & a[1],                                   "bvand",  commutes=True, associates=True),
    Op("or",       2, same,      lambda a, w, t: a[0] | a[1],                                lambda a, w, t: a[0] | a[1],                                   "bvor",   commutes=True, associates=True),
    Op("xor",      2, same,      lambda a, w, t: a[0] ^ a[1],                                lambda a, w, t: a[0] ^ a[1],                                   "bvxor",  commutes=True, associates=True),
    Op("not",      1, same,      lambda a, w, t: ~a[0],                                      lambda a, w, t: ~a[0],                                         "bvnot"),
    Op("neg",      1, same,      lambda a, w, t: -a[0],                                      lambda a, w, t: ~a[0] + a[0].dtype.type(1),                    "bvneg"),
    Op("shl",      2, same,      lambda a, w, t: a[0] << a[1] if a[1] < w[0] else 0,         lambda a, w, t: _np_shl(a[0], a[1], w[0]),                     "bvshl"),
    Op("lshr",     2, same,      lambda a, w, t: a[0] >> a[1] if a[1] < w[0] else 0,         lambda a, w, t: _np_lshr(a[0], a[1], w[0]),                    "bvlshr"),
    Op("ashr",     2, same,      lambda a, w, t: signed(a[0], w[0]) >> min(a[1], w[0] - 1),  lambda a, w, t: _np_ashr(a[0], a[1], w[0]),                    "bvashr"),
    Op("eq",       2, predicate, lambda a, w, t: int(a[0] == a[1]),                          lambda a, w, t: _small(a[0] == a[1]),                          "=",      boolean=True, commutes=True),
    Op("ult",      2, predicate, lambda a, w, t: int(a[0] < a[1]),                           lambda a, w, t: _small(a[0] < a[1]),                           "bvult",  boolean=True),
    Op("ule",      2, predicate, lambda a, w, t: int(a[0] <= a[1]),                          lambda a, w, t: _small(a[0] <= a[1]),                          "bvule",  boolean=True),
    Op("slt",      2, predicate, lambda a, w, t: int(signed(a[0], w[0]) < signed(a[1], w[1])),  lambda a, w, t: _small(signed_lanes(a[0], w[0]) < signed_lanes(a[1], w[1])),   "bvslt", boolean=True),
    Op("sle",      2, predicate, lambda a, w, t: int(signed(a[0], w[0]) <= signed(a[1], w[1])), lambda a, w, t: _small(signed_lanes(a[0], w[0]) <= signed_lanes(a[1], w[1])),  "bvsle", boolean=True),
    Op("zext",     1, extension, lambda a, w, t: a[0],                                       lambda a, w, t: a[0].astype(unsigned_dtype(_int_attr(t, 0))),  "zero_extend"),
    Op("sext",     1, extension, lambda a, w, t: signed(a[0], w[0]),                         lambda a, w, t: _np_sext(a[0], w[0], t),                       "sign_extend"),
    Op("extract",  1, slice_of,  lambda a, w, t: a[0] >> _int_attr(t, 0),                    lambda a, w, t: _np_extract(a[0], t),                          "extract"),
    Op("concat",   2, joined,    lambda a, w, t: (a[0] << w[1]) | a[1],                      lambda a, w, t: _np_concat(a[0], a[1], w),                     "concat"),
    Op("ite",      3, choice,    lambda a, w, t: a[1] if a[0] else a[2],                     lambda a, w, t: _np_ite(a[0], a[1], a[2]),                     "ite"),
)
# fmt: on
OPS: Final = MappingProxyType({op.name: op for op in _PRIMITIVES})


def apply_integer(op: Op, args: Sequence[int], widths: Sequence[int], attr: Attr) -> int:
    """Apply ``op`` to values below ``2**width`` and reduce the result to its width."""
    return op.integer(args, widths, attr) & ((1 << op.rule(widths, attr)) - 1)
