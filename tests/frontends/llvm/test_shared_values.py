"""Windows end at values with several users, where lanes are of many leaves."""

from __future__ import annotations

from tests.frontends.llvm.test_windows import found, nodes

BLEND = "<4 x i32> <i32 0, i32 5, i32 2, i32 7>"
TURNS = ("<i32 2, i32 3, i32 0, i32 1>", "<i32 1, i32 0, i32 3, i32 2>")


def butterflies(levels: int) -> str:
    """Return sums and differences of sums of eight bytes, then of those."""
    lines = [f"  %x{k} = zext <4 x i8> %a{k} to <4 x i32>" for k in range(8)]
    lines += [f"  %y{k} = add <4 x i32> %x{2 * k}, %x{2 * k + 1}" for k in range(4)]
    lines += [f"  %z{k} = add <4 x i32> %y{2 * k}, %y{2 * k + 1}" for k in range(2)]
    lines.append("  %v0 = add <4 x i32> %z0, %z1")
    for k in range(levels):
        lines += [
            f"  %t{k} = shufflevector <4 x i32> %v{k}, <4 x i32> poison, <4 x i32> {TURNS[k]}",
            f"  %s{k} = add <4 x i32> %t{k}, %v{k}",
            f"  %d{k} = sub <4 x i32> %t{k}, %v{k}",
            f"  %v{k + 1} = shufflevector <4 x i32> %s{k}, <4 x i32> %d{k}, {BLEND}",
        ]
    head = ", ".join(f"<4 x i8> %a{k}" for k in range(8))
    body = "\n".join(lines)
    return f"define <4 x i32> @f({head}) {{\n{body}\n  ret <4 x i32> %v{levels}\n}}\n"


def test_windows_end_at_what_lanes_share_where_these_are_of_many_leaves() -> None:
    inner, *between, root = found(butterflies(2))
    assert (inner.root.name, [p.root.name for p in between], root.root.name) == ("v0", ["v1"], "v2")
    assert nodes(between[0]) == [["t0", "s0", "d0", "v1"]]
    whole, part = nodes(root)
    assert len(whole) == 23 and part == ["t1", "s1", "d1", "v2"]


def test_few_leaves_are_one_window() -> None:
    assert [p.root.name for p in found(butterflies(1))] == ["v1"]
