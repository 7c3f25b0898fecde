"""Structures loaded and stored by one instruction, executed: what loads, shuffles and stores in
their place do is what they do, at any address.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from frontends.llvm.linked.binding import normalise
from isel.cli.edge import guard
from semantics import isa_named
from semantics.emulated import Emulated
from semantics.execution import NotRun
from semantics.structures import plain_structures
from tests.emulated import emulate
from tests.fuzz.case import Call, Case, Pointer

HEAD = 'target triple = "aarch64-unknown-linux-gnu"\n'
KINDS = ("8xi8", "16xi8", "4xi16", "8xi16", "2xi32", "4xi32", "2xi64", "4xfloat", "2xdouble")
WAYS = tuple((x, n) for x in ("", "1x") for n in (2, 3, 4))


def named(kind: str) -> str:
    """Return a type of a vector as intrinsics are called: ``v4f32``."""
    count, element = kind.split("x")
    return f"v{count}" + {"float": "f32", "double": "f64"}.get(element, element)


def intrinsic(what: str, way: tuple[str, int], kind: str) -> str:
    """Return the name of an intrinsic: ``ld1x3``, ``st2``."""
    return f"@llvm.aarch64.neon.{what}{way[0]}{way[1]}.{named(kind)}.p0"


def load(way: tuple[str, int], kind: str) -> tuple[str, str]:
    """Return a function that loads structures and writes register after register, and what it
    calls.
    """
    vector, n = f"<{kind.replace('x', ' x ', 1)}>", way[1]
    whole = f"{{ {', '.join([vector] * n)} }}"
    call, size = intrinsic("ld", way, kind), bytes_of(kind)
    body = "".join(
        f"  %r{k} = extractvalue {whole} %all, {k}\n"
        f"  %p{k} = getelementptr i8, ptr %to, i64 {k * size}\n"
        f"  store {vector} %r{k}, ptr %p{k}, align 1\n"
        for k in range(n)
    )
    name = f"ld{way[0]}{n}.{named(kind)}"
    return (
        f"define void @{name}(ptr %to, ptr %from) {{\n"
        f"  %all = call {whole} {call}(ptr %from)\n{body}  ret void\n}}\n"
    ), f"declare {whole} {call}(ptr)\n"


def store(way: tuple[str, int], kind: str) -> tuple[str, str]:
    """Return a function that stores structures of register after register, and what it calls."""
    vector, n = f"<{kind.replace('x', ' x ', 1)}>", way[1]
    call, size = intrinsic("st", way, kind), bytes_of(kind)
    body = "".join(
        f"  %p{k} = getelementptr i8, ptr %from, i64 {k * size}\n"
        f"  %r{k} = load {vector}, ptr %p{k}, align 1\n"
        for k in range(n)
    )
    given = ", ".join(f"{vector} %r{k}" for k in range(n))
    name = f"st{way[0]}{n}.{named(kind)}"
    return (
        f"define void @{name}(ptr %to, ptr %from) {{\n"
        f"{body}  call void {call}({given}, ptr %to)\n  ret void\n}}\n"
    ), f"declare void {call}({', '.join([vector] * n)}, ptr)\n"


def bytes_of(kind: str) -> int:
    """Return the bytes of a register."""
    count, element = kind.split("x")
    return (
        int(count) * {"float": 4, "double": 8}.get(element, 0) or int(count) * int(element[1:]) // 8
    )


def module() -> str:
    """Return a function of memory for each access."""
    rows = [make(way, kind) for make in (load, store) for way in WAYS for kind in KINDS]
    return normalise(HEAD + "".join(body for body, _ in rows) + "".join(d for _, d in rows))


@pytest.mark.tools
def test_the_machine_does_what_loads_and_stores_do() -> None:
    isa, text = isa_named("arm"), module()
    emulated = isa.executor()
    assert isinstance(emulated, Emulated)
    r = random.Random(2026)
    names = [f"{w}{x}{n}.{named(k)}" for w in ("ld", "st") for x, n in WAYS for k in KINDS]
    calls = tuple(
        Call((r.randbytes(96), r.randbytes(96)), (Pointer(0, at), Pointer(1, 7 - at)), high=False)
        for at in (0, 1, 5)
    )
    cases = [Case(name, calls) for name in names]
    cpu, features = isa.usual.cpu, isa.usual.features
    told = emulate(emulated, text, cases, cpu=cpu, features=features)
    assert not isinstance(told, NotRun), told
    for frozen in (None, "@"):
        plain = normalise(plain_structures(text, frozen))
        assert " call " not in plain
        assert emulate(emulated, plain, cases, cpu=cpu, features=features) == told


_LD2 = """  %s = call { <8 x i8>, <8 x i8> } @llvm.aarch64.neon.ld2.v8i8.p0(ptr %p)
  %r = extractvalue { <8 x i8>, <8 x i8> } %s, 1
  ret <8 x i8> %r
"""
_ODD = """  %s = load <16 x i8>, ptr %p, align 1
  %r = shufflevector <16 x i8> %s, <16 x i8> poison, <8 x i32> {mask}
  ret <8 x i8> %r
"""
_ST2 = """  call void @llvm.aarch64.neon.st2.v8i8.p0(<8 x i8> %a, <8 x i8> %b, ptr %p)
  ret <8 x i8> zeroinitializer
"""
_STORED = """  %s = shufflevector <8 x i8> {first}, <8 x i8> {second}, <16 x i32> {mask}
  store <16 x i8> %s, ptr %p, align {align}
  ret <8 x i8> zeroinitializer
"""
_DECLARED = """declare { <8 x i8>, <8 x i8> } @llvm.aarch64.neon.ld2.v8i8.p0(ptr)
declare void @llvm.aarch64.neon.st2.v8i8.p0(<8 x i8>, <8 x i8>, ptr)
"""


def mask(places: object) -> str:
    """Return the mask of a shuffle."""
    assert isinstance(places, (list, range))
    return "<" + ", ".join(f"i32 {i}" for i in places) + ">"


ODD = _ODD.format(mask=mask(range(1, 16, 2)))
EVEN = _ODD.format(mask=mask(range(0, 16, 2)))
MIXED = mask([x for k in range(8) for x in (k, k + 8)])
RIGHT = _STORED.format(first="%a", second="%b", mask=MIXED, align=1)
SWAPPED = _STORED.format(first="%b", second="%a", mask=MIXED, align=1)
ALIGNED = _STORED.format(first="%a", second="%b", mask=MIXED, align=2)
SAID = "noundef "


@pytest.mark.parametrize(
    ("source", "target", "said", "machine", "code"),
    [
        (_LD2, ODD, "", "aarch64", 0),
        (ODD, _LD2, "", "aarch64", 0),
        (_LD2, _LD2, "", "aarch64", 0),
        (_LD2, EVEN, "", "aarch64", 2),
        (_ST2, RIGHT, SAID, "aarch64", 0),
        (RIGHT, _ST2, "", "aarch64", 0),
        (_ST2, SWAPPED, SAID, "aarch64", 2),
        (_ST2, RIGHT, "", "aarch64", 2),  # which stores poison, where the source stores something
        (_ST2, ALIGNED, SAID, "aarch64", 3),
        (_LD2, ODD, "", "x86_64", 3),  # which has no such instruction
    ],
)
@pytest.mark.parametrize("files", [1, 2])
def test_a_pair(
    source: str, target: str, said: str, machine: str, code: int, files: int, tmp_path: Path
) -> None:
    head = f"(ptr noundef %p, <8 x i8> {said}%a, <8 x i8> {said}%b) {{\n"
    texts = [f"define <8 x i8> @{{name}}{head}{body}}}\n" for body in (source, target)]
    begin = HEAD.replace("aarch64", machine)
    sides = [texts[0].replace("{name}", "src"), texts[1].replace("{name}", "tgt")]
    if files == 1:
        sides = ["".join(sides)]
    else:
        sides[1] = sides[1].replace("@tgt", "@src")
    paths = [tmp_path / f"{k}.ll" for k in range(files)]
    for path, text in zip(paths, sides, strict=True):
        path.write_text(begin + text + _DECLARED)
    words = ["verify", *map(str, paths)]
    assert guard([*words, "--assume-noundef-memory"]) == code
    if "llvm" in source + target and source != target:
        assert guard(words) != 0  # an intrinsic of poison is not said to be poison


def test_only_a_sources_own_stores_are_frozen() -> None:
    head = "define <8 x i8> @{}(ptr %p, <8 x i8> %a, <8 x i8> %b){} {{\n"
    names = (("src", ""), ("tgt", " prefix ptr @src"))
    sides = [head.format(name, more) + _ST2 + "}\n" for name, more in names]
    text = normalise(HEAD + "".join(sides) + _DECLARED)
    source, target = plain_structures(text, "@src").split("@tgt")
    assert "prefix ptr @src" in target
    assert source.count(" = freeze ") == 2 and " = freeze " not in target
