"""Windows of moves with several roots: which are together, and where nothing is looked at."""

from __future__ import annotations

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.text.parse import parse_module
from frontends.llvm.windows.places import Place, places, smaller_places
from frontends.llvm.windows.scene import Limits, Scene, Site
from frontends.llvm.windows.squares import squares
from tests.frontends.llvm.toy import Toy

HEADER = 'target triple = "x86_64-unknown-linux-gnu"\n'
LOADS = """
  %a = load <4 x i32>, ptr %p
  %q = getelementptr i8, ptr %p, i64 16
  %b = load <4 x i32>, ptr %q"""
SHUFFLES = """
  %x = shufflevector <4 x i32> %a, <4 x i32> %b, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  %y = shufflevector <4 x i32> %a, <4 x i32> %b, <4 x i32> <i32 2, i32 6, i32 3, i32 7>"""
STORES = """
  store <4 x i32> %x, ptr %o
  store <4 x i32> %y, ptr %r"""
SUM = """
  %s = add <4 x i32> %x, %y
  store <4 x i32> %s, ptr %o"""
OTHER = """
  %x = shufflevector <4 x i32> %a, <4 x i32> %a, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %m = add <4 x i32> %a, %b
  %y = shufflevector <4 x i32> %a, <4 x i32> %m, <4 x i32> <i32 2, i32 6, i32 3, i32 7>"""
APART = """
  %x = shufflevector <4 x i32> %a, <4 x i32> %a, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %y = shufflevector <4 x i32> %n, <4 x i32> %n, <4 x i32> <i32 3, i32 2, i32 1, i32 0>"""
COLUMNS = "".join(
    f"""
  %p{k}{r} = getelementptr i8, ptr %p, i64 {4 * (2 * r + k)}
  %l{k}{r} = load i32, ptr %p{k}{r}
  %c{k}{r} = insertelement <2 x i32> {f"%c{k}0" if r else "poison"}, i32 %l{k}{r}, i64 {r}"""
    for k in (0, 1)
    for r in (0, 1)
)
DIFFERENCE = """
  %s = sub <2 x i32> %c01, %c11
  store <2 x i32> %s, ptr %o"""


def test_a_root_says_what_it_reads() -> None:
    text = f"{HEADER}define void @f(ptr %p, ptr %o, ptr %r) {{{LOADS}{SHUFFLES}{STORES}\n  ret void\n}}\n"
    module = parse_module(normalise(text))
    scene = Scene(module, module.functions[0], Toy())
    ((x, y),) = squares(scene, 0, Limits(register=64))
    assert (x.root.name, y.root.name) == ("x", "y") and x.read == y.read and not x.last


def both(body: str) -> tuple[list[Place], list[Place]]:
    """Return the places of a function, and those inside of them that are tried later."""
    text = (
        f"{HEADER}define void @f(ptr %p, ptr %o, ptr %r, <4 x i32> %n) {{{body}\n  ret void\n}}\n"
    )
    module = parse_module(normalise(text))
    scene = Scene(module, module.functions[0], Toy())
    found = [*places(scene, Limits(register=64))]
    inner = (smaller_places(scene, p, Limits(register=64)) for p in found)
    return found, [q for few in inner for q in few]


def square_sites(body: str) -> list[Site]:
    """Return the windows of a function that have several roots, those inside of others too."""
    found, inner = both(body)
    every = {p.root.name: p for p in (*found, *inner)}.values()
    return [s for p in every for s in p.sites if len(s.roots) > 1]


def test_squares_inside_of_a_window_wait_for_it() -> None:
    found, inner = both(LOADS + SHUFFLES + SUM)
    assert [p.root.name for p in found] == ["s"]
    assert "x" in {p.root.name for p in inner}


def test_one_element_that_is_put_somewhere_is_no_window() -> None:
    body = """
  %a = load i32, ptr %p
  %x = insertelement <16 x i32> poison, i32 %a, i64 0
  store <16 x i32> %x, ptr %o"""
    assert both(body) == ([], [])


@pytest.mark.parametrize(
    ("body", "roots"),
    [
        (LOADS + SHUFFLES + STORES, ["x y"]),
        (LOADS + SHUFFLES + SUM, ["x y"]),
        (COLUMNS + DIFFERENCE, ["c01 c11"]),
        (LOADS + OTHER + STORES, []),
        (LOADS + APART + STORES, []),
    ],
    ids=["stored", "added up", "of scalars", "a leaf is late", "nothing in common"],
)
def test_which_roots_are_together(body: str, roots: list[str]) -> None:
    assert [" ".join(r.name for r in s.roots) for s in square_sites(body)] == roots


def test_columns_are_loaded_where_the_first_of_them_is() -> None:
    (site,) = square_sites(COLUMNS + DIFFERENCE)
    made = [x.made for x in site.inputs if x.made is not None]
    assert made and all(m.after < site.line for m in made)


def test_a_store_between_loads_is_between_squares() -> None:
    first, second = COLUMNS.split("\n  %p10")
    written = f"{first}\n  store i8 0, ptr %r\n  %p10{second}"
    assert not square_sites(written + DIFFERENCE)


def test_roots_of_too_many_lanes_are_no_square() -> None:
    every = ", ".join(f"i32 {k}" for k in range(4096))
    lines = [
        f"  %{x} = shufflevector <4 x i8> %a, <4 x i8> %a, <4096 x i32> <{every}>" for x in "xy"
    ]
    lines[0] = "\n  %a = load <4 x i8>, ptr %p\n" + lines[0].replace(
        every, ", ".join(["i32 1"] * 4096)
    )
    lines[1] = lines[1].replace(every, ", ".join(["i32 2"] * 4096))
    stores = [f"  store <4096 x i8> %{x}, ptr %o" for x in "xy"]
    assert not square_sites("\n".join([*lines, *stores]))
