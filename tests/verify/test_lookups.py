"""Looked-up bytes: what is proved of instructions and of loads, and what may not be."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.text.parse import parse_module
from isel.model.verdict import Proved, Refuted, Verdict
from semantics import target_named
from tests.verdicts import verify_modules

_TABLE: Final = (3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 92, 7, 34, 255)
_MORE: Final = (0, 17, 200, 31, 77, 128, 64, 99, 250, 16, 15, 14, 13, 12, 11, 10)
_DIGITS: Final = tuple(b"0123456789abcdef")
_KIND: Final = "<16 x i8>"
_X86: Final = """
declare <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8>, <16 x i8>)
declare <16 x i8> @llvm.x86.avx512.permvar.qi.128(<16 x i8>, <16 x i8>)
declare <16 x i8> @llvm.x86.avx512.vpermi2var.qi.128(<16 x i8>, <16 x i8>, <16 x i8>)
declare <16 x i8> @llvm.x86.vgf2p8affineqb.128(<16 x i8>, <16 x i8>, i8 immarg)
"""
_ARM: Final = """
declare <16 x i8> @llvm.aarch64.neon.tbl1.v16i8(<16 x i8>, <16 x i8>)
declare <16 x i8> @llvm.aarch64.neon.tbl2.v16i8(<16 x i8>, <16 x i8>, <16 x i8>)
declare <16 x i8> @llvm.aarch64.neon.tbx1.v16i8(<16 x i8>, <16 x i8>, <16 x i8>)
"""


def _vector(entries: Iterable[int | str]) -> str:
    return f"<{', '.join(f'i8 {x}' for x in entries)}>"


def _splat(value: int) -> str:
    return f"splat (i8 {value})"


def _masked(mask: int, x: str = "%x") -> str:
    return f"%i = and {_KIND} {x}, {_splat(mask)}\n"


def _call(name: str, *operands: str) -> str:
    return f"%r = call {_KIND} @llvm.{name}({', '.join(operands)})\n"


def _pshufb(entries: Iterable[int | str], index: str = "%i") -> str:
    return _call("x86.ssse3.pshuf.b.128", f"{_KIND} {_vector(entries)}", f"{_KIND} {index}")


def _permb(index: str = "%i") -> str:
    table = f"{_KIND} {_vector(_TABLE)}"
    return _call("x86.avx512.permvar.qi.128", table, f"{_KIND} {index}")


def _permi2b(first: Iterable[int], second: Iterable[int]) -> str:
    table = (f"{_KIND} {_vector(x)}" for x in (first, second))
    return _call("x86.avx512.vpermi2var.qi.128", next(table), f"{_KIND} %x", next(table))


def _affine(matrix: int, constant: int) -> str:
    rows = _vector(matrix.to_bytes(8, "little") * 2)
    return _call("x86.vgf2p8affineqb.128", f"{_KIND} %x", f"{_KIND} {rows}", f"i8 {constant}")


def _tbl(tables: Iterable[Iterable[int]], index: str = "%i", kept: str = "") -> str:
    vectors = [f"{_KIND} {_vector(t)}" for t in tables]
    name = f"aarch64.neon.tb{'x' if kept else 'l'}{len(vectors)}.v16i8"
    return _call(name, *([f"{_KIND} {kept}"] if kept else []), *vectors, f"{_KIND} {index}")


def _lanes(entries: Iterable[int], index: str = "%i") -> str:
    """Return what puts elements of a table at each lane of an index together as ``%r``."""
    table = list(entries)
    lines, last = list[str](), "poison"
    for k in range(16):
        result = f"%l{k}" if k < 15 else "%r"
        lines += [f"%a{k} = extractelement {_KIND} {index}, i64 {k}"]
        lines += [f"%e{k} = extractelement <{len(table)} x i8> {_vector(table)}, i8 %a{k}"]
        lines += [f"{result} = insertelement {_KIND} {last}, i8 %e{k}, i64 {k}"]
        last = result
    return "\n".join(lines) + "\n"


def _within(other: str) -> str:
    """Return what looks up within 16 entries, and has another value where the index is beyond."""
    looked = _masked(15) + _lanes(_TABLE).replace("%r =", "%l =")
    test = f"%c = icmp ult {_KIND} %x, {_splat(16)}\n"
    return f"{looked}{test}%r = select <16 x i1> %c, {_KIND} %l, {_KIND} {other}\n"


def _then(text: str, line: str) -> str:
    return text.replace("%r =", "%q =") + f"%r = {line}\n"


@dataclass(frozen=True, slots=True)
class Way:
    """What is looked up, for an ISA, how to do so, and what is not the same by one mistake each."""

    isa: str
    source: str
    right: tuple[str, ...]
    wrong: dict[str, str]


_DIGIT: Final = (
    _masked(15)
    + f"%c = icmp ult {_KIND} %i, {_splat(10)}\n"
    + f"%d = or {_KIND} %i, {_splat(48)}\n%l = add {_KIND} %i, {_splat(87)}\n"
    + f"%r = select <16 x i1> %c, {_KIND} %d, {_KIND} %l\n"
)
_HALF: Final = f"%i = lshr {_KIND} %x, {_splat(4)}\n"
_WORDS: Final = (
    "%w = bitcast <16 x i8> %x to <8 x i16>\n%s = lshr <8 x i16> %w, splat (i16 4)\n"
    "%b = bitcast <8 x i16> %s to <16 x i8>\n"
)
_SWAPPED: Final = (*_TABLE[:5], _TABLE[6], _TABLE[5], *_TABLE[7:])
_HOLES: Final = tuple("poison" if k in (3, 9) else x for k, x in enumerate(_TABLE))
_ADD: Final = f"add {_KIND} %q, {_splat(1)}"
_NEXT: Final = tuple((x + 1) % 256 for x in _TABLE)
_TWICE: Final = (
    f"%s = shl {_KIND} %x, {_splat(1)}\n%h = ashr {_KIND} %x, {_splat(7)}\n"
    f"%m = and {_KIND} %h, {_splat(27)}\n%r = xor {_KIND} %s, %m\n"
)


def _matrix() -> int:
    """Return the matrix of twice a byte: byte ``7 - k`` has what bit ``k`` of the result sums."""
    twice = [((1 << j) << 1 & 255) ^ (27 if j == 7 else 0) for j in range(8)]
    rows = [sum((twice[j] >> k & 1) << j for j in range(8)) for k in range(8)]
    return int.from_bytes(bytes(reversed(rows)), "little")


_WAYS: Final = {
    "a digit": Way(
        "x86",
        _DIGIT,
        (_masked(15) + _pshufb(_DIGITS), _masked(31) + _pshufb(_DIGITS)),
        {
            "one entry wrong": _masked(15) + _pshufb((*_DIGITS[:15], 70)),
            "entries moved": _masked(15) + _pshufb((*_DIGITS[1:], 48)),
            "bit 7 is kept": _masked(143) + _pshufb(_DIGITS),
            "no mask": _pshufb(_DIGITS, "%x"),
            "too small a mask": _masked(7) + _pshufb(_DIGITS),
        },
    ),
    "by the high half": Way(
        "x86",
        _HALF + _lanes(_TABLE),
        (_HALF + _pshufb(_TABLE), _WORDS + _masked(15, "%b") + _pshufb(_TABLE)),
        {
            "words are shifted, without a mask": _WORDS + _pshufb(_TABLE, "%b"),
            "entries swapped": _HALF + _pshufb(_SWAPPED),
            "entries that are poison": _HALF + _pshufb(_HOLES),
            "a shift of 3": _HALF.replace("(i8 4)", "(i8 3)") + _pshufb(_TABLE),
            "the low half": _masked(15) + _pshufb(_TABLE),
        },
    ),
    "wrapped": Way(
        "x86",
        _masked(15) + _lanes(_TABLE),
        (_permb("%x"), _masked(15) + _permb()),
        {
            "zero by bit 7": _pshufb(_TABLE, "%x"),
            "zero beyond": _permi2b(_TABLE, (0,) * 16),
            "poison beyond": _lanes(_TABLE, "%x"),
        },
    ),
    "of 32 entries": Way(
        "x86",
        _masked(31) + _lanes((*_TABLE, *_MORE)),
        (_permi2b(_TABLE, _MORE),),
        {
            "halves swapped": _permi2b(_MORE, _TABLE),
            "the first half twice": _permi2b(_TABLE, _TABLE),
            "a bit fewer of the index": _permb("%x"),
        },
    ),
    "one more than a looked-up byte": Way(
        "x86",
        _masked(15) + _then(_pshufb(_TABLE), _ADD),
        (_masked(15) + _pshufb(_NEXT),),
        {"without a mask": _pshufb(_NEXT, "%x")},
    ),
    "one more than a looked-up byte or zero": Way(
        "x86",
        _then(_pshufb(_TABLE, "%x"), _ADD),
        (_then(_pshufb(_TABLE, "%x"), f"sub {_KIND} %q, {_splat(255)}"),),
        {"what zero becomes": _pshufb(_NEXT, "%x")},
    ),
    "twice in GF(2^8)": Way(
        "x86",
        _TWICE,
        (_affine(_matrix(), 0),),
        {
            "rows reversed": _affine(int.from_bytes(_matrix().to_bytes(8, "big"), "little"), 0),
            "a constant": _affine(_matrix(), 1),
            "one bit": _affine(_matrix() ^ 1, 0),
        },
    ),
    "zero beyond": Way(
        "arm",
        _within("zeroinitializer"),
        (_tbl([_TABLE], "%x"), _tbl([_TABLE, (0,) * 16], "%x")),
        {
            "kept": _tbl([_TABLE], "%x", "%x"),
            "wrapped": _masked(15) + _tbl([_TABLE]),
            "two tables": _tbl([_TABLE, _MORE], "%x"),
            "one entry wrong": _tbl([(*_TABLE[:8], 6, *_TABLE[9:])], "%x"),
        },
    ),
    "kept beyond": Way(
        "arm",
        _within("%x"),
        (_tbl([_TABLE], "%x", "%x"),),
        {
            "zero": _tbl([_TABLE], "%x"),
            "kept as the index": _masked(31) + _tbl([_TABLE], "%x", "%i"),
        },
    ),
    "of 32 entries, wrapped": Way(
        "arm",
        _masked(31) + _lanes((*_TABLE, *_MORE)),
        (_masked(31) + _tbl([_TABLE, _MORE]),),
        {
            "no mask": _tbl([_TABLE, _MORE], "%x"),
            "one table": _masked(31) + _tbl([_TABLE]),
            "tables swapped": _masked(31) + _tbl([_MORE, _TABLE]),
        },
    ),
}
_DECLARED: Final = {"x86": _X86, "arm": _ARM}
_TRIPLES: Final = {"x86": "x86_64-unknown-linux-gnu", "arm": "aarch64-unknown-linux-gnu"}


def _decide(isa: str, sides: Iterable[str], declared: str) -> Verdict:
    """Decide whether a function refines another of its kind."""
    text = "\n".join((f'target triple = "{_TRIPLES[isa]}"', *sides, declared))
    ((_, verdict),) = verify_modules(parse_module(normalise(text)), None, target_named(isa))
    return verdict


def _verdict(way: Way, target: str) -> Verdict:
    head = "define {0} @{1}({0} noundef %x) {{\n{2}ret {0} %r\n}}"
    sides = (head.format(_KIND, n, t) for n, t in (("src", way.source), ("tgt", target)))
    return _decide(way.isa, sides, _DECLARED[way.isa])


@pytest.mark.parametrize("way", _WAYS.values(), ids=_WAYS)
def test_what_instructions_look_up(way: Way) -> None:
    assert all(isinstance(_verdict(way, target), Proved) for target in way.right)


@pytest.mark.parametrize(
    ("way", "target"),
    [pytest.param(w, t, id=f"{n}: {m}") for n, w in _WAYS.items() for m, t in w.wrong.items()],
)
def test_what_they_do_not(way: Way, target: str) -> None:
    assert isinstance(_verdict(way, target), Refuted)


_LOOK: Final = "%p{0} = getelementptr i8, ptr %t, i64 %{0}\n%v{0} = load i8, ptr %p{0}, align 1\n"
_LANE: Final = "%v{0} = extractelement <16 x i8> %w, i64 %{0}\n"
_INDICES: Final = "".join(f"%{k} = and i64 %{k}0, {{0}}\n" for k in "ij")
_SUM: Final = "%r = add i8 %vi, %vj\nret i8 %r\n"
_WHOLE: Final = "%w = load <16 x i8>, ptr %t, align 1\n"
_STORE: Final = "store i8 7, ptr %d, align 1\n"


def _looks(given: str, mask: int = 15, between: str = _STORE) -> Callable[[str, str], str]:
    """Return what writes a function of two looks at a table, with something between."""

    def side(name: str, own: str) -> str:
        first, look = (own, _LANE) if own else ("", _LOOK)
        body = _INDICES.format(mask) + first + look.format("i") + between + look.format("j")
        return f"define i8 @{name}({given}, i64 %i0, i64 %j0) {{\n{body}{_SUM}}}"

    return side


_APART: Final = "ptr noalias dereferenceable(16) %t, ptr noalias %d"
_ALIKE: Final = "ptr dereferenceable(16) %t, ptr %d"
_BRANCH: Final = (
    "br i1 %c, label %yes, label %no\nyes:\n%i = and i64 %i0, 15\n{0}ret i8 %vi\nno:\nret i8 0\n"
)


def _reached(given: str) -> tuple[str, str]:
    """Return what loads one byte in a branch, and what loads sixteen before it."""
    head = f"({given}, i1 noundef %c, i64 %i0) {{\n"
    old, new = (_BRANCH.format(x.format("i")) for x in (_LOOK, _LANE))
    return f"define i8 @src{head}{old}}}", f"define i8 @tgt{head}{_WHOLE}{new}}}"


def _memory(given: str, mask: int = 15, between: str = _STORE) -> tuple[str, str]:
    side = _looks(given, mask, between)
    return side("src", ""), side("tgt", _WHOLE)


_RIGHT_LOADS: Final = {
    "a byte of another is written": _memory(_APART),
    "nothing is written": _memory(_ALIKE, between=""),
    "a branch that may not be taken": _reached("ptr dereferenceable(16) %t"),
}
_WRONG_LOADS: Final = {
    "a byte may be written between two looks": _memory(_ALIKE),
    "a byte is written between two looks": _memory(_APART, between="store i8 7, ptr %t, align 1\n"),
    "an index beyond": _memory(_APART, 31),
    "a table read past its end": _memory(_APART.replace("16", "12"), 7),
    "a table that may be null": _memory(_APART.replace("able(", "able_or_null("), 7, ""),
    "a load that may not be reached": _reached("ptr %t"),
    "fifteen bytes": _reached("ptr dereferenceable(15) %t"),
}


@pytest.mark.parametrize("sides", _RIGHT_LOADS.values(), ids=_RIGHT_LOADS)
def test_what_is_loaded_at_once(sides: tuple[str, str]) -> None:
    assert isinstance(_decide("x86", sides, ""), Proved)


@pytest.mark.parametrize("sides", _WRONG_LOADS.values(), ids=_WRONG_LOADS)
def test_what_may_not_be(sides: tuple[str, str]) -> None:
    assert not isinstance(_decide("x86", sides, ""), Proved)
