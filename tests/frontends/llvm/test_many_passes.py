"""Many passes as one: rows of a product at once, sums of sums, a body with a branch."""

from __future__ import annotations

import pytest

from frontends.llvm.cuts.arms import without_arms
from frontends.llvm.function.graph import Graph
from tests.frontends.llvm.test_follow import _text
from tests.frontends.llvm.transformed import do_the_same, scope_of, verifies
from tests.frontends.llvm.turned_loops import calls

HEAD = "define void @f(ptr noalias %a, ptr noalias %b, ptr noalias %c, ptr %d) {\nentry:\n"


def product(rows: int, columns: int) -> str:
    """Return rows of a matrix times a vector, so many of them at once."""
    k = range(rows)
    inner = "".join(
        f"""  %k{r} = add i64 %base{r}, %i
  %b{r} = getelementptr i8, ptr %b, i64 %k{r}
  %w{r} = load i8, ptr %b{r}, align 1
  %wz{r} = sext i8 %w{r} to i32
  %m{r} = mul i32 %xz, %wz{r}
  %t{r} = add i32 %s{r}, %m{r}
"""
        for r in k
    )
    heads = "".join(f"  %base{r} = add i64 %base, {16 * r}\n" for r in k)
    sums = "".join(f"  %s{r} = phi i32 [ 0, %row ], [ %t{r}, %in ]\n" for r in k)
    ends = "".join(
        f"""  %r{r} = add i64 %r, {r}
  %q{r} = getelementptr i32, ptr %c, i64 %r{r}
  store i32 %t{r}, ptr %q{r}, align 4
"""
        for r in k
    )
    return f"""{HEAD}  br label %row
row:
  %r = phi i64 [ 0, %entry ], [ %nr, %out ]
  %base = mul i64 %r, 16
{heads}  br label %in
in:
  %i = phi i64 [ 0, %row ], [ %ni, %in ]
{sums}  %at = getelementptr i8, ptr %a, i64 %i
  %x = load i8, ptr %at, align 1
  %xz = zext i8 %x to i32
{inner}  %ni = add i64 %i, 1
  %e = icmp ne i64 %ni, {columns}
  br i1 %e, label %in, label %out
out:
{ends}  %nr = add i64 %r, {rows}
  %re = icmp ne i64 %nr, 8
  br i1 %re, label %row, label %done
done:
  ret void
}}
"""


def sums(passes: int) -> str:
    """Return Adler's sums of 960 bytes, so many of them at once."""
    lanes = f"<{passes} x i32>"
    weights = ", ".join(f"i32 {passes - k}" for k in range(passes))
    body = f"""  %x = load <{passes} x i8>, ptr %at, align 1
  %z = zext <{passes} x i8> %x to {lanes}
  %g = mul {lanes} %z, <{weights}>
  %rg = call i32 @llvm.vector.reduce.add.v{passes}i32({lanes} %g)
  %rz = call i32 @llvm.vector.reduce.add.v{passes}i32({lanes} %z)
  %s1 = add i32 %s, %rz
  %ks = mul i32 %s, {passes}
  %t0 = add i32 %t, %ks
  %t1 = add i32 %t0, %rg
"""
    one = """  %x = load i8, ptr %at, align 1
  %z = zext i8 %x to i32
  %s1 = add i32 %s, %z
  %t1 = add i32 %t, %s1
"""
    declared = f"declare i32 @llvm.vector.reduce.add.v{passes}i32({lanes})\n" if passes > 1 else ""
    return f"""define i32 @f(ptr noalias %p) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %ni, %loop ]
  %s = phi i32 [ 1, %entry ], [ %s1, %loop ]
  %t = phi i32 [ 0, %entry ], [ %t1, %loop ]
  %at = getelementptr i8, ptr %p, i64 %i
{one if passes == 1 else body}  %ni = add i64 %i, {passes}
  %m = icmp ne i64 %ni, 960
  br i1 %m, label %loop, label %done
done:
  %r = xor i32 %s1, %t1
  ret i32 %r
}}
{declared}"""


CHOSEN = """{head}  br label %one
one:
  %i = phi i64 [ 0, %entry ], [ %ni, %tail ]
  %p = getelementptr i8, ptr %a, i64 %i
  %x = load i8, ptr %p, align 1
  %q = getelementptr i8, ptr %b, i64 %i
  %c1 = icmp ugt i8 %x, 100
  br i1 %c1, label %yes, label %{no}
yes:
  %y = sub i8 -1, %x
  br label %tail
{other}tail:
  %r = phi i8 [ {value}, %{last} ], [ %y, %yes ]
  store i8 %r, ptr %q, align 1
  %ni = add i64 %i, 1
  %m = icmp ne i64 %ni, 256
  br i1 %m, label %one, label %done
done:
  ret void
}}
"""
BRANCH = CHOSEN.format(head=HEAD, no="tail", other="", value="%x", last="one")
TWO = "no:\n  %z = mul i8 %x, 3\n  br label %tail\n"
BRANCHES = CHOSEN.format(head=HEAD, no="no", other=TWO, value="%z", last="no")


def choices(passes: int) -> str:
    """Return a loop that does so many passes of one with a branch at once, and chooses in each."""
    body = "".join(
        f"""  %i{k} = add i64 %i, {k}
  %p{k} = getelementptr i8, ptr %a, i64 %i{k}
  %x{k} = load i8, ptr %p{k}, align 1
  %q{k} = getelementptr i8, ptr %b, i64 %i{k}
  %c{k} = icmp ugt i8 %x{k}, 100
  %y{k} = sub i8 -1, %x{k}
  %r{k} = select i1 %c{k}, i8 %y{k}, i8 %x{k}
  store i8 %r{k}, ptr %q{k}, align 1
"""
        for k in range(passes)
    )
    return f"""{HEAD}  br label %one
one:
  %i = phi i64 [ 0, %entry ], [ %ni, %one ]
{body}  %ni = add i64 %i, {passes}
  %m = icmp ne i64 %ni, 256
  br i1 %m, label %one, label %done
done:
  ret void
}}
"""


PAIRS = {
    "two rows at once": (product(1, 16), product(2, 16)),
    "four rows at once": (product(1, 16), product(4, 16)),
    "two long rows at once": (product(1, 1600), product(2, 1600)),
    "32 sums of sums": (sums(1), sums(32)),
    "64 passes with a branch": (BRANCH, choices(64)),
}
LOAD = "  %beyond = getelementptr i8, ptr %at, i64 4096\n  %z0 = load i8, ptr %beyond, align 1\n"
WRONG = {
    "a load beyond": ("two rows at once", "  %xz = ", f"{LOAD}  %xz = "),
    "a trap": ("two rows at once", "  %xz = ", "  %z0 = udiv i8 7, %x\n  %xz = "),
    "an inner loop that does not end": (
        "two rows at once",
        "%e = icmp ne i64 %ni, 16",
        "%e = icmp ne i64 %i, -1",
    ),
    "an outer loop that does not end": ("two rows at once", "add i64 %r, 2", "add i64 %r, 0"),
    "a row is left out": ("two rows at once", "add i64 %base, 16", "add i64 %base, 0"),
    "a sum of another row": ("two rows at once", "%t1 = add i32 %s1", "%t1 = add i32 %s0"),
    "three of eight rows": ("two rows at once", "add i64 %r, 2", "add i64 %r, 3"),
    "another weight": ("32 sums of sums", "i32 31,", "i32 30,"),
    "a byte beyond": ("32 sums of sums", "ptr %at, align", "ptr %at2, align"),
    "the wrong arm": ("64 passes with a branch", "i8 %y63, i8 %x63", "i8 %x63, i8 %y63"),
    "another bound": ("64 passes with a branch", "icmp ugt i8 %x7,", "icmp uge i8 %x7,"),
}


@pytest.mark.parametrize("name", PAIRS)
def test_what_is_proved(name: str) -> None:
    before, after = PAIRS[name]
    assert verifies(before, after) and not verifies(after, before)


@pytest.mark.parametrize("name", WRONG)
def test_what_is_not(name: str) -> None:
    of, old, new = WRONG[name]
    before, after = PAIRS[of]
    wrong = after.replace(old, new, 1).replace(
        "  %x = load <32", "  %at2 = getelementptr i8, ptr %at, i64 1\n  %x = load <32"
    )
    assert wrong != after and not verifies(before, wrong)


def test_rows_that_meet_in_memory_are_not_done_at_once() -> None:
    before, after = (x.replace("ptr noalias %b", "ptr %b") for x in PAIRS["two rows at once"])
    assert verifies(before, after)
    stored = [
        x.replace("  %xz = ", "  store i8 %x, ptr %d, align 1\n  %xz = ") for x in (before, after)
    ]
    assert not verifies(*stored)


@pytest.mark.parametrize("text", [BRANCH, BRANCHES])
def test_arms_that_only_compute_are_choices(text: str) -> None:
    text = text.replace("256", "64")
    scope = scope_of(text)
    found = without_arms(Graph(scope.function, scope.said, scope.sizes))
    assert found is not None and len(found.blocks) == 3
    after = _text(text, found)
    assert do_the_same(text, after, calls()) and verifies(text, after)


@pytest.mark.parametrize(
    "line",
    [
        "%y = load i8, ptr %q, align 1",
        "%y = udiv i8 7, %x",
        "store i8 7, ptr %q, align 1\n  %y = add i8 %x, 1",
    ],
)
def test_arms_that_do_more_stay(line: str) -> None:
    scope = scope_of(BRANCH.replace("%y = sub i8 -1, %x", line))
    assert without_arms(Graph(scope.function, scope.said, scope.sizes)) is None
