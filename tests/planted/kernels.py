"""Small functions ``@f(ptr %p, ptr %q, ptr %o)`` that are rewritten for AVX2, in the ways that
planted faults get wrong.
"""

from __future__ import annotations

from typing import Final

HEAD: Final = 'target triple = "x86_64-pc-linux-gnu"\n'


def _function(body: str, before: str = "") -> str:
    return f"{HEAD}{before}define void @f(ptr %p, ptr %q, ptr %o) {{\n{body}  ret void\n}}\n"


def _load(name: str, kind: str, pointer: str, at: int = 0, unit: str = "i8") -> str:
    return f"  %{name}.at = getelementptr {unit}, ptr {pointer}, i64 {at}\n  %{name} = load {kind}, ptr %{name}.at, align 1\n"


def _store(name: str, kind: str, at: int = 0) -> str:
    return f"  %{name}.to = getelementptr i8, ptr %o, i64 {at}\n  store {kind} %{name}, ptr %{name}.to, align 1\n"


def _repeated(name: str, at: int, unit: str = "i8") -> str:
    """A scalar of 16 bits behind ``%q`` in eight lanes."""
    kind = "<8 x i16>"
    return (
        _load(name, "i16", "%q", at, unit)
        + f"  %{name}.one = insertelement {kind} poison, i16 %{name}, i64 0\n"
        + f"  %{name}.all = shufflevector {kind} %{name}.one, {kind} poison, <8 x i32> zeroinitializer\n"
    )


def _every(count: int, first: int, step: int) -> str:
    return "<" + ", ".join(f"i32 {first + step * k}" for k in range(count)) + ">"


def _products(pairs: list[tuple[str, str]]) -> str:
    """The sum of two products of vectors of 16 bits, in 32 bits."""
    narrow, wide = "<8 x i16>", "<8 x i32>"
    body = "".join(
        f"  %{side}{k} = sext {narrow} {v} to {wide}\n"
        for side, vs in zip("xy", zip(*pairs, strict=True), strict=True)
        for k, v in enumerate(vs)
    )
    body += "".join(f"  %t{k} = mul {wide} %x{k}, %y{k}\n" for k in range(len(pairs)))
    return body + f"  %r = add {wide} %t0, %t1\n" + _store("r", wide)


def _difference(result: str, kind: str, a: str, b: str) -> str:
    """What is left of ``a`` without ``b``, at least nothing."""
    suffix = f"v{kind[1:-1].replace(' x ', '')}"
    return f"  %{result}.most = call {kind} @llvm.umax.{suffix}({kind} {a}, {kind} {b})\n  %{result} = sub {kind} %{result}.most, {b}\n"


_B, _W = "<16 x i8>", "<16 x i16>"
SATURATED: Final = _function(
    _load("a", _B, "%p") + _load("b", _B, "%q") + _difference("r", _B, "%a", "%b") + _store("r", _B)
)
TWO: Final = _function(
    _load("a", _B, "%p")
    + _load("b", _B, "%q")
    + _difference("r", _B, "%a", "%b")
    + f"  %s.most = call {_B} @llvm.umax.v16i8({_B} %a, {_B} %b)\n  %s = sub {_B} %s.most, %a\n"
    + _store("r", _B)
    + _store("s", _B, 16)
)
HALVES: Final = _function(
    _load("a", "<64 x i8>", "%p")
    + _load("b", "<64 x i8>", "%q")
    + _difference("r", "<64 x i8>", "%a", "%b")
    + _store("r", "<64 x i8>")
)
WEIGHTED: Final = _function(
    _load("a", "<8 x i16>", "%p")
    + f"  %e = shufflevector <8 x i16> %a, <8 x i16> poison, <4 x i32> {_every(4, 0, 2)}\n"
    + f"  %d = shufflevector <8 x i16> %a, <8 x i16> poison, <4 x i32> {_every(4, 1, 2)}\n"
    + "  %x = sext <4 x i16> %e to <4 x i32>\n  %y = sext <4 x i16> %d to <4 x i32>\n"
    + "  %v = mul <4 x i32> %x, splat (i32 3)\n  %w = mul <4 x i32> %y, splat (i32 -5)\n  %r = add <4 x i32> %v, %w\n"
    + _store("r", "<4 x i32>")
)
DIVIDED: Final = _function(
    _load("a", "<8 x i16>", "%p")
    + "  %r = udiv <8 x i16> %a, splat (i16 10)\n"
    + _store("r", "<8 x i16>")
)
SEVENTHS: Final = _function(
    _load("a", "<8 x i16>", "%p")
    + "  %r = udiv <8 x i16> %a, splat (i16 7)\n"
    + _store("r", "<8 x i16>")
)
HIGH: Final = _function(
    _load("a", "<8 x i16>", "%p")
    + _load("b", "<8 x i16>", "%q")
    + "  %x = zext <8 x i16> %a to <8 x i32>\n  %y = zext <8 x i16> %b to <8 x i32>\n  %m = mul <8 x i32> %x, %y\n"
    + "  %s = lshr <8 x i32> %m, splat (i32 18)\n  %r = trunc <8 x i32> %s to <8 x i16>\n"
    + _store("r", "<8 x i16>")
)
FEW: Final = _function(
    _load("a", "<4 x i8>", "%p")
    + _load("b", "<4 x i8>", "%q")
    + _difference("r", "<4 x i8>", "%a", "%b")
    + _store("r", "<4 x i8>")
)
CLAMPED: Final = _function(
    _load("a", _B, "%p")
    + _load("b", _B, "%q")
    + f"  %x = zext {_B} %a to {_W}\n  %y = zext {_B} %b to {_W}\n  %s = sub {_W} %x, %y\n"
    + f"  %h = call {_W} @llvm.smin.v16i16({_W} %s, {_W} splat (i16 127))\n  %l = call {_W} @llvm.smax.v16i16({_W} %h, {_W} splat (i16 -128))\n"
    + f"  %r = trunc {_W} %l to {_B}\n"
    + _store("r", _B)
)
PACKED: Final = _function(
    _load("a", _W, "%p")
    + f"  %m = call {_W} @llvm.umin.v16i16({_W} %a, {_W} splat (i16 255))\n  %r = trunc {_W} %m to {_B}\n"
    + _store("r", _B)
)
_ROWS: Final = _load("a", "<8 x i16>", "%p") + _load("b", "<8 x i16>", "%p", 64)
SCALARS: Final = _function(
    _ROWS + _repeated("u", 6) + _repeated("v", 8) + _products([("%a", "%u.all"), ("%b", "%v.all")])
)
STORED: Final = _function(
    _ROWS
    + _load("u", "i16", "%q", 6)
    + _load("v", "i16", "%q", 8)
    + "  store i32 7, ptr %u.at, align 1\n"
    + "".join(
        f"  %{n}.one = insertelement <8 x i16> poison, i16 %{n}, i64 0\n"
        f"  %{n}.all = shufflevector <8 x i16> %{n}.one, <8 x i16> poison, <8 x i32> zeroinitializer\n"
        for n in "uv"
    )
    + _products([("%a", "%u.all"), ("%b", "%v.all")])
)
APART: Final = _function(
    _ROWS
    + _repeated("u", 6, "i16")
    + _repeated("v", 8, "i16")
    + _products([("%a", "%u.all"), ("%b", "%v.all")])
)
PAIRS: Final = _function(
    "".join(
        _load(n, _B, p, at)
        for n, p, at in (("a", "%p", 0), ("b", "%p", 16), ("c", "%q", 0), ("d", "%q", 16))
    )
    + f"  %x = shufflevector {_B} %a, {_B} %b, <32 x i32> {_every(32, 0, 1)}\n  %y = shufflevector {_B} %c, {_B} %d, <32 x i32> {_every(32, 0, 1)}\n"
    + _difference("r", "<32 x i8>", "%x", "%y")
    + _store("r", "<32 x i8>")
)
UNDEFINED: Final = _function(
    _load("a", _B, "%p")
    + f"  %c = load {_B}, ptr @undefined, align 16\n"
    + f"  %x = sext {_B} %c to {_W}\n  %y = sext {_B} %a to {_W}\n  %s = sub {_W} %x, %y\n"
    + f"  %m = call {_W} @llvm.abs.v16i16({_W} %s, i1 false)\n  %r = trunc {_W} %m to {_B}\n"
    + _store("r", _B),
    f"@undefined = private constant {_B} undef\n",
)
CHOSEN: Final = _function(
    _load("a", _B, "%p")
    + _load("b", _B, "%q")
    + f"  %s = sub {_B} %a, %b\n  %c = icmp ult {_B} %a, %b\n  %r = select <16 x i1> %c, {_B} zeroinitializer, {_B} %s\n"
    + _store("r", _B)
)


def _stencil(first: str = "%p", to: str = "%o", shift: int = 0) -> str:
    """Vectors that begin a byte earlier, in a loop: the vector of the iteration before, and at first one
    byte, are spliced with the one just loaded.
    """
    return (
        f"{HEAD}define void @f(ptr noalias %p, ptr noalias %q, ptr noalias %o) {{\nentry:\n"
        f"  %one = load i8, ptr {first}, align 1\n  %start = insertelement {_B} poison, i8 %one, i64 15\n  br label %loop\n\n"
        f"loop:\n  %i = phi i64 [ 0, %entry ], [ %next, %loop ]\n  %c = phi {_B} [ %start, %entry ], [ %l, %loop ]\n"
        f"  %i1 = or disjoint i64 %i, 1\n  %a = getelementptr i8, ptr %p, i64 %i1\n  %l = load {_B}, ptr %a, align 1\n"
        f"  %s = shufflevector {_B} %c, {_B} %l, <16 x i32> {_every(16, 15, 1)}\n"
        f"  %i2 = add i64 %i, {shift}\n  %b = getelementptr i8, ptr {to}, i64 %i2\n  store {_B} %s, ptr %b, align 1\n"
        "  %next = add nuw i64 %i, 16\n  %done = icmp eq i64 %next, 224\n  br i1 %done, label %exit, label %loop\n\nexit:\n  ret void\n}\n"
    )


SPLICED: Final = _stencil()
STARTED_ELSEWHERE: Final = _stencil(first="%q")
WRITTEN_BETWEEN: Final = _stencil(to="%p", shift=16)


def _reduced(step: str, start: str, reduction: str, declared: str = "") -> str:
    """A loop over sixty-four bytes that reduces them, and a store of the result."""
    return (
        f"{HEAD}declare i32 @{reduction}(<16 x i32>)\n{declared}"
        "define void @f(ptr %p, ptr %q, ptr %o) {\nentry:\n  br label %loop\n\nloop:\n"
        "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]\n"
        f"  %acc = phi <16 x i32> [ {start}, %entry ], [ %new, %loop ]\n"
        "  %at = getelementptr i8, ptr %p, i64 %i\n  %x = load <16 x i8>, ptr %at, align 1\n"
        f"  %wide = zext <16 x i8> %x to <16 x i32>\n  %new = {step}\n"
        "  %next = add i64 %i, 16\n  %more = icmp ult i64 %next, 64\n"
        "  br i1 %more, label %loop, label %done\n\ndone:\n"
        f"  %r = call i32 @{reduction}(<16 x i32> %new)\n  store i32 %r, ptr %o, align 1\n"
        "  ret void\n}\n"
    )


_SMAX: Final = "llvm.smax.v16i32(<16 x i32>"
SUMMED: Final = _reduced(
    "add <16 x i32> %acc, %wide", "splat (i32 3)", "llvm.vector.reduce.add.v16i32"
)
GREATEST: Final = _reduced(
    f"call <16 x i32> @{_SMAX} %acc, <16 x i32> %wide)",
    "zeroinitializer",
    "llvm.vector.reduce.smax.v16i32",
    f"declare <16 x i32> @{_SMAX}, <16 x i32>)\n",
)

BLENDED: Final = (
    f"{HEAD}define void @f(ptr %p, ptr %q, ptr %o) {{\n"
    "entry:\n  %alpha = load i8, ptr %q, align 1\n  %a = zext i8 %alpha to i32\n  %b = sub i32 255, %a\n"
    + "".join(
        f"  %{x}.one = insertelement <16 x i32> poison, i32 %{x}, i64 0\n"
        f"  %{x}.all = shufflevector <16 x i32> %{x}.one, <16 x i32> poison, <16 x i32> zeroinitializer\n"
        for x in "ab"
    )
    + "  br label %loop\n\nloop:\n  %i = phi i64 [ 0, %entry ], [ %next, %loop ]\n"
    "  %at = getelementptr i8, ptr %p, i64 %i\n  %x = load <16 x i8>, ptr %at, align 1\n"
    "  %by = getelementptr i8, ptr %q, i64 %i\n  %y = load <16 x i8>, ptr %by, align 1\n"
    "  %xw = zext <16 x i8> %x to <16 x i32>\n  %yw = zext <16 x i8> %y to <16 x i32>\n"
    "  %ax = mul <16 x i32> %a.all, %xw\n  %by.w = mul <16 x i32> %b.all, %yw\n"
    "  %s = add <16 x i32> %ax, %by.w\n  %h = lshr <16 x i32> %s, splat (i32 8)\n"
    "  %r = trunc <16 x i32> %h to <16 x i8>\n  %to = getelementptr i8, ptr %o, i64 %i\n"
    "  store <16 x i8> %r, ptr %to, align 1\n  %next = add i64 %i, 16\n"
    "  %done = icmp eq i64 %next, 64\n  br i1 %done, label %out, label %loop\n\nout:\n  ret void\n}\n"
)  # by a weight that is loaded before the loop
