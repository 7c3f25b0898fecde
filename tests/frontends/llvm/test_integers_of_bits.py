"""Integers that are made of bits of vectors, and vectors of bits of integers: what is written for
them, that it is proved, and that nothing that is wrong is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import pytest

import isel
from frontends.llvm.text.parse import parse_module
from frontends.llvm.windows.scene import Scene
from semantics import target_named

_TRIPLES: Final = {"haswell": "x86_64-unknown-linux-gnu", "znver4": "x86_64-unknown-linux-gnu"}
_AARCH64: Final = "aarch64-unknown-linux-gnu"


def _lanes(kind: str, values: Iterable[object]) -> str:
    return "<" + ", ".join(f"{kind} {v}" for v in values) + ">"


def _module(lines: str, result: str, cpu: str = "haswell", given: str = "<16 x i8>") -> str:
    """Return a function of two vectors and an integer."""
    calls = sorted(set(re.findall(r"call (\S+) @(llvm[\w.]+)\((<[^>]+>|i\d+)", lines)))
    said = "\n".join(f"declare {r} @{name}({o})" for r, name, o in calls)
    return f"""target triple = "{_TRIPLES.get(cpu, _AARCH64)}"
{said}
define {result} @f({given} noundef %x, {given} noundef %y, i16 noundef %m) #0 {{
{lines}
  ret {result} %r
}}
attributes #0 = {{ "target-cpu"="{cpu}" }}
"""


def _joined(compared: str, places: Iterable[object], n: int = 16) -> str:
    """Return the bits of a comparison, shifted to places and joined."""
    kind = f"i{n}"
    return f"""  %c = {compared}
  %w = zext <{n} x i1> %c to <{n} x {kind}>
  %s = shl <{n} x {kind}> %w, {_lanes(kind, places)}
  %r = call {kind} @llvm.vector.reduce.or.v{n}{kind}(<{n} x {kind}> %s)"""


def _seen(compared: str, after: str = "%r = bitcast <16 x i1> %c to i16") -> str:
    return f"  %c = {compared}\n  {after}"


def _moved(mask: Iterable[object], compared: str = "icmp ugt <16 x i8> %x, %y") -> str:
    moved = f"shufflevector <16 x i1> %c, <16 x i1> poison, <16 x i32> {_lanes('i32', mask)}"
    return _seen(compared, f"%d = {moved}\n  %r = bitcast <16 x i1> %d to i16")


_ABOVE: Final = "icmp ugt <16 x i8> %x, %y"
_JOINED: Final = _joined(_ABOVE, range(16))
_SIGNS: Final = """  %z = xor <16 x i8> %x, %y
  %c = icmp slt <16 x i8> %z, zeroinitializer
  %r = bitcast <16 x i1> %c to i16"""
_ANY: Final = _seen(_ABOVE, "%k = bitcast <16 x i1> %c to i16\n  %r = icmp ne i16 %k, 0")
_COUNT: Final = """  %k = bitcast <16 x i1> %c to i16
  %r = call i16 @llvm.ctpop.i16(i16 %k)"""
_SPREAD: Final = f"""  %i = insertelement <16 x i16> poison, i16 %m, i64 0
  %b = shufflevector <16 x i16> %i, <16 x i16> poison, <16 x i32> zeroinitializer
  %a = and <16 x i16> %b, {_lanes("i16", (1 << k for k in range(16)))}
  %c = icmp ne <16 x i16> %a, zeroinitializer
"""
_CHOSEN: Final = f"{_SPREAD}  %r = select <16 x i1> %c, <16 x i8> %x, <16 x i8> %y"
_BITS: Final = "  %c = bitcast i16 %m to <16 x i1>\n"
_PICK: Final = "  %r = select <16 x i1> {0}, <16 x i8> {1}, <16 x i8> {2}"


def _reversed(text: str) -> str:
    order = _lanes("i32", range(15, -1, -1))
    return f"{text}  %d = shufflevector <16 x i1> %c, <16 x i1> poison, <16 x i32> {order}\n"


def _counted(addends: str) -> str:
    return f"""  %c = {_ABOVE}
  %e = {addends} <16 x i1> %c to <16 x i16>
  %r = call i16 @llvm.vector.reduce.add.v16i16(<16 x i16> %e)"""


_TWICE: Final = [0, 0, *range(2, 16)]
# what is meant, what does it, and what does not
PAIRS: Final = {
    "order of bits": (_JOINED, _seen(_ABOVE), _moved(range(15, -1, -1))),
    "order of bytes": (_JOINED, _moved(range(16)), _moved([*range(8, 16), *range(8)])),
    "a lane twice": (_JOINED, _moved(range(16)), _moved(_TWICE)),
    "two lanes changed": (_JOINED, _moved(range(16)), _moved([1, 0, *range(2, 16)])),
    "another predicate": (_JOINED, _seen(_ABOVE), _seen("icmp sgt <16 x i8> %x, %y")),
    "equal ones, too": (_JOINED, _seen(_ABOVE), _seen("icmp uge <16 x i8> %x, %y")),
    "the other way round": (_JOINED, _seen(_ABOVE), _seen("icmp ult <16 x i8> %x, %y")),
    "places from one": (
        _JOINED,
        _seen(_ABOVE),
        _seen(_ABOVE, "%k = bitcast <16 x i1> %c to i16\n  %r = shl i16 %k, 1"),
    ),
    "a lane left out": (
        _JOINED,
        _seen(_ABOVE),
        _seen(_ABOVE, "%k = bitcast <16 x i1> %c to i16\n  %r = and i16 %k, 32767"),
    ),
    "another width": (
        _SIGNS,
        _SIGNS.replace("xor <16 x i8> %x, %y", "xor <16 x i8> %y, %x"),
        """  %z = xor <16 x i8> %x, %y
  %v = bitcast <16 x i8> %z to <8 x i16>
  %h = icmp slt <8 x i16> %v, zeroinitializer
  %e = bitcast <8 x i1> %h to i8
  %r = zext i8 %e to i16""",
    ),
    "another bit": (
        _SIGNS,
        f"""  %z = xor <16 x i8> %x, %y
  %a = and <16 x i8> %z, {_lanes("i8", [-128] * 16)}
  %c = icmp ne <16 x i8> %a, zeroinitializer
  %r = bitcast <16 x i1> %c to i16""",
        f"""  %z = xor <16 x i8> %x, %y
  %a = and <16 x i8> %z, {_lanes("i8", [64] * 16)}
  %c = icmp ne <16 x i8> %a, zeroinitializer
  %r = bitcast <16 x i1> %c to i16""",
    ),
    "all for any": (_ANY, _ANY.replace("ne i16 %k, 0", "ugt i16 %k, 0"), _ANY.replace("0", "-1")),
    "taken away": (_seen(_ABOVE, _COUNT.lstrip()), _counted("zext"), _counted("sext")),
    "counted twice": (
        _seen(_ABOVE, _COUNT.lstrip()),
        _counted("zext"),
        _moved(_TWICE).rsplit("\n", 1)[0] + "\n" + _COUNT.replace("%c", "%d"),
    ),
    "bits of a mask": (
        _CHOSEN,
        _BITS + _PICK.format("%c", "%x", "%y"),
        _reversed(_BITS) + _PICK.format("%d", "%x", "%y"),
    ),
    "arms": (
        _CHOSEN,
        _BITS + _PICK.format("%c", "%x", "%y"),
        _BITS + _PICK.format("%c", "%y", "%x"),
    ),
}
_RESULTS: Final = {"all for any": "i1", "bits of a mask": "<16 x i8>", "arms": "<16 x i8>"}


@pytest.mark.parametrize("name", PAIRS)
def test_right_is_proved_and_wrong_is_not(name: str) -> None:
    meant, right, wrong = (_module(x, _RESULTS.get(name, "i16")) for x in PAIRS[name])
    assert isel.verify(meant, right).proved
    assert isel.verify(meant, wrong).refuted


def _far(compared: str, n: int) -> str:
    return _joined(compared, range(n), n)


# a function, what is given, on a CPU, and what is written for it
CASES: Final = {
    "bytes": (_JOINED, "<16 x i8>", "i16", "haswell", "bitcast <16 x i1>"),
    "bytes to places backwards": (
        _joined("icmp eq <16 x i8> %x, %y", range(15, -1, -1)),
        "<16 x i8>",
        "i16",
        "haswell",
        "pshuf.b.128",
    ),
    "bytes to a register of masks": (_JOINED, "<16 x i8>", "i16", "znver4", "icmp"),
    "bytes on AArch64": (_JOINED, "<16 x i8>", "i16", "neoverse-n1", "bitcast <16 x i1>"),
    "words in two parts": (
        _far("icmp eq <16 x i32> %x, %y", 16),
        "<16 x i32>",
        "i16",
        "haswell",
        "or disjoint i16",
    ),
    "signs, packed": (
        _far("icmp slt <16 x i16> %x, zeroinitializer", 16),
        "<16 x i16>",
        "i16",
        "haswell",
        "packsswb",
    ),
    "a choice by bits": (_CHOSEN, "<16 x i8>", "<16 x i8>", "haswell", "pblendvb"),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_written(name: str) -> None:
    lines, given, result, cpu, wanted = CASES[name]
    text = _module(lines, result, cpu, given)
    done = isel.optimize(text, cache=False)
    assert wanted in str(done.module), done.report
    assert isel.verify(text, done.module).proved


def test_a_low_bit_is_moved_to_the_sign_where_that_is_cheaper_than_a_test() -> None:
    lines = f"""  %a = and <4 x i32> %x, {_lanes("i32", [1] * 4)}
  %c = icmp ne <4 x i32> %a, zeroinitializer
  %b = bitcast <4 x i1> %c to i4
  %z = zext i4 %b to i32
  %r = insertelement <4 x i32> zeroinitializer, i32 %z, i64 3"""
    text = _module(lines, "<4 x i32>", "znver4", "<4 x i32>")
    done = str(isel.optimize(text, cache=False).module)
    assert "shl <4 x i32>" in done and "icmp slt <4 x i32>" in done


@pytest.mark.parametrize(
    ("lines", "kind", "why"),
    [
        (
            "  %c = icmp eq <65 x i8> %x, %y\n  %r = bitcast <65 x i1> %c to i65",
            "<65 x i8>",
            "lanes of more than 64 bits",
        ),
        ("  %r = call i16 @llvm.ctpop.i16(i16 %m)", "<16 x i8>", "scalar code"),
    ],
)
def test_why_it_is_in_no_window(lines: str, kind: str, why: str) -> None:
    result = lines.rsplit(" ", 1)[1] if "bitcast" in lines else "i16"
    module = parse_module(_module(lines, result, given=kind))
    (function,) = module.functions
    scene = Scene(module, function, target_named("x86"))
    (last,) = (i for i in function.view.work if i.name == "r")
    assert scene.reasons[last.line] == why


def test_a_mask_with_lanes_that_are_poison_is_left_alone() -> None:
    lines = _moved([*range(8), *["poison"] * 8])
    text = _module(lines, "i16")
    done = isel.optimize(text, cache=False)
    assert "bitcast <16 x i1>" in str(done.module)
    assert isel.verify(text, done.module).proved
