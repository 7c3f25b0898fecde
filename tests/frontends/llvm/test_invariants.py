"""What a loop does not change, in windows inside it."""

from __future__ import annotations

from frontends.llvm.linked.binding import normalise
from frontends.llvm.text.parse import parse_module
from frontends.llvm.windows.places import places
from frontends.llvm.windows.scene import Limits, Scene, Site
from tests.frontends.llvm.toy import Toy

LOOP = """
define void @f(ptr %p, {arguments}) {{
entry:
{before}  br label %loop

loop:
  %at = phi ptr [ %p, %entry ], [ %next, %loop ]
  %x = load <4 x i8>, ptr %at, align 1
  %wide = zext <4 x i8> %x to <4 x i32>
{inside}  %r = mul <4 x i32> %wide, %{factor}
  store <4 x i32> %r, ptr %at, align 4
  %next = getelementptr i8, ptr %at, i64 16
  %done = icmp eq ptr %next, null
  br i1 %done, label %out, label %loop

out:
  ret void
}}
"""


def splat(name: str, scalar: str) -> str:
    return (
        f"  %{name}.one = insertelement <4 x i32> poison, i32 %{scalar}, i64 0\n"
        f"  %{name} = shufflevector <4 x i32> %{name}.one, <4 x i32> poison, <4 x i32> zeroinitializer\n"
    )


def site(
    arguments: str, before: str, factor: str = "all", inside: str = "", register: int = 128
) -> Site:
    text = LOOP.format(arguments=arguments, before=before, factor=factor, inside=inside)
    module = parse_module(normalise(text))
    scene = Scene(module, module.functions[0], Toy())
    return next(p for p in places(scene, Limits(register=register)) if p.root.name == "r").sites[0]


def leaves(s: Site) -> list[str]:
    return [line for line in s.window.text().splitlines() if line.startswith("leaf")]


def lane(s: Site) -> str:
    return s.window.text().partition("root 4x32\n")[2].splitlines()[0].strip()


def test_a_splat_of_a_scalar_chain_is_the_chain_of_a_splat() -> None:
    chain = "  %wide.s = zext i8 %s to i32\n  %rest = sub i32 255, %wide.s\n"
    s = site("i8 noundef %s", chain + splat("all", "rest"))
    assert leaves(s) == ["leaf a0 16x8 v0 0 8 scalar invariant", "leaf a1 4x8"]
    assert lane(s) == "(mul (sub 255:32 (zext 32 a0[0]:8)) (zext 32 a1[0]:8))"
    assert [(x.leaf.name, str(x.operand.type), x.fixed) for x in s.inputs] == [
        ("a0", "i8", True),
        ("a1", "<4 x i8>", False),
    ]
    assert s.home is not None and s.given == {"wide.s", "rest", "all.one", "all"}


def test_a_chain_that_needs_all_of_its_bits_is_a_leaf() -> None:
    chain = "  %rest = mul i32 %s, %t\n  %more = add i32 %rest, 3\n"
    s = site("i32 %s, i32 %t", chain + splat("all", "more"))
    assert leaves(s) == ["leaf a0 4x32 v0 0 32 scalar invariant", "leaf a1 4x8"]
    assert [str(getattr(x.operand, "name", "")) for x in s.inputs] == ["more", "x"]
    assert "rest" not in {i.name for i in s.nodes}


def test_an_element_of_a_vector_in_all_lanes_stays_where_it_is() -> None:
    before = (
        "  %w = sext <4 x i8> %v to <4 x i32>\n"
        "  %all = shufflevector <4 x i32> %w, <4 x i32> poison, <4 x i32> <i32 2, i32 2, i32 2, i32 2>\n"
    )
    s = site("<4 x i8> %v", before)
    assert leaves(s) == ["leaf a0 4x8 invariant", "leaf a1 4x8"]
    assert lane(s) == "(mul (sext 32 a0[16]:8) (zext 32 a1[0]:8))"


def test_what_changes_in_the_loop_is_not_invariant() -> None:
    inside = "  %s = load i32, ptr %at, align 4\n" + splat("all", "s")
    s = site("i8 %unused", "", inside=inside)
    assert leaves(s) == ["leaf a0 4x8", "leaf a1 4x32"]
    assert s.home is None and not s.given


def test_a_cast_of_what_changes_is_seen() -> None:
    inside = "  %s = load i8, ptr %at, align 1\n  %e = sext i8 %s to i32\n" + splat("all", "e")
    s = site("i8 %unused", "", inside=inside)
    assert leaves(s) == ["leaf a0 4x8", "leaf a1 16x8 v1 0 8 scalar"]
    assert s.home is None and not s.given


def test_scalars_of_odd_widths_are_no_leaves() -> None:
    s = site("i7 %s", "  %e = zext i7 %s to i32\n" + splat("all", "e"))
    assert leaves(s) == ["leaf a0 4x32 v0 0 32 scalar invariant", "leaf a1 4x8"]


def test_a_freeze_is_not_computed_twice() -> None:
    s = site("i8 %s", "  %f = freeze i8 %s\n  %e = zext i8 %f to i32\n" + splat("all", "e"))
    assert [str(getattr(x.operand, "name", "")) for x in s.inputs] == ["f", "x"]
    assert s.inputs[0].fixed
