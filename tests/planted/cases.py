"""What shows a fault in a rule when it is executed: a function that a transform changes, and pairs
of which the second does something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from frontends.llvm.transform import (
    checked_blocks,
    fully_unrolled_loops,
    fused_loops,
    jammed_loops,
    joined_windows,
    narrow_lanes,
    passes_as_lanes,
    peeled_passes,
    reused_columns,
    unrolled_loops,
)
from frontends.llvm.transform.site import Transform
from tests.frontends.llvm import (
    few_passes,
    test_checked_blocks,
    test_doubled_loops,
    test_fused_loops,
    test_jammed_loops,
    test_narrow_lanes,
    test_passes_as_lanes,
    test_peeled_passes,
    test_unrolled_loops,
    test_whole_loops,
    turned_loops,
)
from tests.frontends.llvm.stencil_loops import Grid
from tests.frontends.llvm.transformed import change
from tests.fuzz.case import Call, Pointer


@dataclass(frozen=True, slots=True)
class Changed:
    """A module that a transform changes, and how its function is called."""

    transform: Transform
    text: str
    calls: Callable[[], Iterator[Call]]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two modules whose functions differ where they are called so."""

    before: str
    after: str
    calls: Callable[[], Iterator[Call]]


def _sums() -> Iterator[Call]:
    """Rows of a matrix, what they are multiplied with, and where the sum goes."""
    data = bytes((37 * k + k // 7) % 251 for k in range(64 + 2 * 64 + 2 * 16 * 64))
    yield Call((data,), (Pointer(0, 0), Pointer(0, 64), Pointer(0, 64 + 2 * 64)), high=True)


def _bytes() -> Iterator[Call]:
    """What is read, and room for as much."""
    data = bytes((91 * k + k // 3) % 256 for k in range(512)) + bytes(512)
    yield Call((data,), (Pointer(0, 0), Pointer(0, 512)), high=True)


def _numbers() -> Iterator[Call]:
    """Two numbers, or an index among bytes, and room for the result."""
    corners = (0, 1, 77, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x1234ABCD)
    for x in corners:
        for y in corners:
            data = b"".join(v.to_bytes(4, "little") for v in (x, y)) + bytes(range(3, 123))
            for at in (64, 0, 4):
                yield Call((data,), (Pointer(0, 0), Pointer(0, at), 16), high=False)


COUNTED: Final = test_doubled_loops._loop(
    f"  %s = phi i64 [ 3, %entry ], [ %sn, %loop ]\n{test_doubled_loops.HALF}",
    stop="64",
    behind="  store i64 %sn, ptr %b, align 1\n",
).replace("  %done =", "  %sn = mul i64 %s, %kn\n  %done =")
_TEXTS: Final[Mapping[str, tuple[Transform, Mapping[str, str], Callable[[], Iterator[Call]]]]] = {
    "sums": (unrolled_loops, {"rows": test_unrolled_loops.rows()}, _sums),
    "unrolled": (unrolled_loops, {"counted": COUNTED}, test_doubled_loops._calls),
    "doubled": (unrolled_loops, test_doubled_loops.RIGHT, test_doubled_loops._calls),
    "whole": (fully_unrolled_loops, test_whole_loops.RIGHT, few_passes.calls),
    "fused": (
        fused_loops,
        {x: turned_loops.behind(*x.split()) for x in test_fused_loops.RIGHT},
        turned_loops.calls,
    ),
    "jammed": (jammed_loops, {"rows": test_jammed_loops.product(rows="12")}, turned_loops.calls),
    "peeled": (peeled_passes, test_peeled_passes.RIGHT, test_peeled_passes._calls),
    "checked": (checked_blocks, test_checked_blocks.RIGHT, test_checked_blocks._calls),
    "lanes": (passes_as_lanes, test_passes_as_lanes.RIGHT, test_passes_as_lanes._calls),
    "narrow": (
        narrow_lanes,
        {"sums": test_narrow_lanes.rows(test_narrow_lanes.NEW, *test_narrow_lanes.TAIL).replace(
            ", <8 x i32> %w)", ")"
        )},
        _bytes,
    ),
}  # fmt: skip


def changed(name: str) -> Changed:
    """Return a module by the kind of change and its own name: ``doubled/halves``."""
    kind, _, own = name.partition("/")
    transform, texts, calls = _TEXTS[kind]
    return Changed(transform, texts[own], calls)


def _straight(*lines: str) -> str:
    """A function of two numbers ``%x`` and ``%y`` behind ``%a``, with room for more behind
    ``%b``.
    """
    body = "".join(f"  {x}\n" for x in lines)
    names = dict.fromkeys(re.findall(r"@(llvm\.[us](?:min|max)\.i32)", body))
    declared = "".join(f"declare i32 @{x}(i32, i32)\n" for x in names)
    return f"""define void @f(ptr noundef %a, ptr noundef %b, i64 noundef %n) {{
  %ay = getelementptr i8, ptr %a, i64 4
  %x = load i32, ptr %a, align 1, !noundef !0
  %y = load i32, ptr %ay, align 1, !noundef !0
  %bo = getelementptr i8, ptr %b, i64 32
  %bn = getelementptr i8, ptr %b, i64 36
{body}  ret void
}}
{declared}!0 = !{{}}
"""


def _number(*lines: str) -> str:
    """A function that stores ``%r``."""
    return _straight(*lines, "store i32 %r, ptr %bo, align 1")


def _intrinsic(name: str) -> str:
    return _number(f"%r = call i32 @llvm.{name}.i32(i32 %x, i32 %y)")


_VECTORS: Final = (
    "%v0 = insertelement <2 x i32> poison, i32 %x, i64 0",
    "%v = insertelement <2 x i32> %v0, i32 %y, i64 1",
    "%w = xor <2 x i32> %v, splat (i32 5)",
)
_BYTE: Final = "%t = trunc i32 %x to i8"


def _two(*indices: str) -> tuple[str, str]:
    """Functions that read at two indices, ``%i`` and ``%j``, and store the first, or the second."""
    lines = list(indices)
    for k, x in (("i", "r"), ("j", "s")):
        lines += [
            f"%p{k} = getelementptr i8, ptr %a, i64 %{k}",
            f"%{x} = load i32, ptr %p{k}, align 1",
        ]
    lines += ["store i32 %s, ptr %bn, align 1"]
    return _number(*lines), _number(*lines).replace("store i32 %r", "store i32 %s")


_SELECT: Final = "%c = icmp ult i32 %x, 9"
_LOOP: Final = test_doubled_loops._loop()
_ARMS: Final = (
    _straight(
        "%c = icmp ult i32 %x, %y",
        "br i1 %c, label %one, label %other",
        "br label %end",
        "store i32 %x, ptr %bo, align 1",
        "br label %end",
    )
    .replace("  br label %end\n  store", "one:\n  br label %end\nother:\n  store")
    .replace("  ret void", "end:\n  ret void")
)
_HALVES: Final = _LOOP.replace("ptr noundef %b", "ptr noalias noundef %b")
_STORE: Final = "store i32 %x, ptr %bo, align 1"


def _wrong(text: str, old: str, new: str) -> tuple[str, str]:
    """Return a module, and the same with one place changed."""
    changed = re.sub(old, new, text, count=1)
    assert changed != text, old
    return text, changed


def _joined() -> tuple[str, str]:
    """Two passes that store halves, as whole registers, where memory may be the same."""
    wide = change(joined_windows, change(unrolled_loops, _HALVES))
    return _LOOP, wide.replace("ptr noalias noundef %b", "ptr noundef %b")


def _doubled() -> tuple[str, str]:
    """A doubled loop that never ends before a last pass that is odd."""
    text = test_doubled_loops.RIGHT["halves"]
    return text, _wrong(change(unrolled_loops, text), r"or i1 (%\S+), (%\S+)", r"or i1 \1, \1")[1]


def _checked(name: str) -> tuple[str, str]:
    """A block behind a check, which is wrong."""
    text = test_checked_blocks.RIGHT["squares"]
    old, new = test_checked_blocks.WRONG[name]
    after = re.sub(old, new, change(checked_blocks, text), count=1)
    return text, after


_DOWN: Final = Grid(step=64)


def _carried() -> tuple[str, str]:
    """Rows that are carried, the first of which is the last of the pass before."""
    after = change(reused_columns, _DOWN.text())
    rows = r"(= phi <16 x i8> .* (\[ %\S+, %loop \])\n.*= phi <16 x i8> .*, )\[ %\S+, %loop \]"
    return _DOWN.text(), re.sub(rows, r"\1\2", after, count=1)


def _rows() -> Iterator[Call]:
    yield from _DOWN.calls()


_PAIRS: Final[Mapping[str, Callable[[], tuple[str, str]]]] = {
    "choice": lambda: (
        _number(_SELECT, "%r = select i1 %c, i32 %x, i32 %y"),
        _number("%r = xor i32 %x, 0"),
    ),
    "least": lambda: (_intrinsic("umin"), _intrinsic("smin")),
    "greatest": lambda: (_intrinsic("umax"), _intrinsic("smax")),
    "xor": lambda: (_number("%r = xor i32 %x, %y"), _number("%r = or i32 %x, %y")),
    "extension": lambda: (
        _number(_BYTE, "%r = sext i8 %t to i32"),
        _number(_BYTE, "%r = zext i8 %t to i32"),
    ),
    "quotient": lambda: (
        _number("%r = udiv i32 %x, 7"),
        _number("%r = urem i32 %x, 7"),
    ),
    "comparison": lambda: (
        _number("%c = icmp ult i32 %x, %y", "%r = zext i1 %c to i32"),
        _number("%c = icmp slt i32 %x, %y", "%r = zext i1 %c to i32"),
    ),
    "shuffle": lambda: (
        _number(
            *_VECTORS,
            "%s = shufflevector <2 x i32> %v, <2 x i32> %w, <2 x i32> <i32 3, i32 0>",
            "%r = extractelement <2 x i32> %s, i64 0",
        ),
        _number("%r = add i32 %y, 0"),
    ),
    "lane": lambda: (
        _number(*_VECTORS, "%r = extractelement <2 x i32> %w, i64 1"),
        _number("%r = xor i32 %x, 5"),
    ),
    "view": lambda: (
        _number(
            "%s = bitcast i32 %x to <2 x i16>",
            "%e = extractelement <2 x i16> %s, i64 0",
            "%r = zext i16 %e to i32",
        ),
        _number("%r = lshr i32 %x, 16"),
    ),
    "far shift": lambda: (
        _number("%d = and i32 %y, 31", "%r = lshr i32 %x, %d"),
        _number("%d = and i32 %y, 31", "%r = ashr i32 %x, %d"),
    ),
    "read again": lambda: (
        _straight(
            "store i32 7, ptr %b, align 1",
            "%z = load i32, ptr %a, align 1",
            _STORE.replace("%x", "%z"),
        ),
        _straight("store i32 7, ptr %b, align 1", _STORE),
    ),
    "read sooner": lambda: (
        _straight(
            "store i32 7, ptr %b, align 1",
            "%z = load i32, ptr %ay, align 1",
            _STORE.replace("%x", "%z"),
        ),
        _straight(
            "%z = load i32, ptr %ay, align 1",
            "store i32 7, ptr %b, align 1",
            _STORE.replace("%x", "%z"),
        ),
    ),
    "lost store": lambda: (
        _straight(_STORE, "store i32 %y, ptr %bn, align 1"),
        _straight(_STORE),
    ),
    "other value": lambda: (_straight(_STORE), _straight(_STORE.replace("%x", "%y"))),
    "other place": lambda: (_straight(_STORE), _straight(_STORE.replace("%bo", "%bn"))),
    "other constant": lambda: (
        _straight("store i32 7, ptr %bo, align 1"),
        _straight("store i32 8, ptr %bo, align 1"),
    ),
    "other next": lambda: _wrong(
        test_doubled_loops.RIGHT["a sum of numbers"], r"\[ %sn, %loop \]", "[ %s, %loop ]"
    ),
    "other end": lambda: _wrong(_LOOP, r"icmp eq i64 %kn, %stop", "icmp eq i64 %kn, %low"),
    "other way": lambda: _wrong(
        _LOOP, "i1 %nothing, label %end, label %loop", "i1 true, label %end, label %loop"
    ),
    "a difference": lambda: _two("%i = sub i64 %n, 4", "%j = add i64 %n, 4"),
    "a shift": lambda: _two("%i = shl i64 %n, 1", "%j = add i64 %n, 0"),
    "a multiple": lambda: _two("%i = mul i64 %n, 2", "%k = shl i64 %n, 1", "%j = add i64 %k, %n"),
    "arms": lambda: _wrong(
        _ARMS, "i1 %c, label %one, label %other", "i1 %c, label %other, label %one"
    ),
    "halves": _joined,
    "never odd": _doubled,
    "turned check": lambda: _checked("the check is turned"),
    "no check": lambda: _checked("nothing is checked"),
    "late check": lambda: _checked("it begins a byte late"),
    "one check": lambda: _checked("one check is not made"),
    "a row back": _carried,
}


def pair(name: str) -> Pair:
    """Return two modules that differ where they are executed."""
    calls = _numbers
    if name in ("other next", "other end", "other way", "halves"):
        calls = test_doubled_loops._calls
    elif name in ("turned check", "no check", "late check", "one check"):
        calls = test_checked_blocks._calls
    elif name == "never odd":
        calls = test_doubled_loops._calls
    elif name == "a row back":
        calls = _rows
    return Pair(*_PAIRS[name](), calls)
