"""How often blocks run, as IR says it."""

from __future__ import annotations

import pytest

from frontends.llvm.limits import TRIPS_UNLIKELY
from frontends.llvm.linked.binding import normalise
from frontends.llvm.machine.named import read_names
from frontends.llvm.machine.trips import runs_of
from isel.cost.runs import UNKNOWN, Runs


def counted(
    start: str, step: int, bound: str, test: str = "%j", branch: str = "out, label %loop"
) -> str:
    return f"""
define void @f(i64 %n, i1 %z) {{
entry:
  %odd = and i64 %n, 3
  %low = and i64 %n, 5
  br label %loop
loop:
  %i = phi i64 [ {start}, %entry ], [ %j, %loop ]
  %j = add nsw i64 %i, {step}
  %c = icmp eq i64 {test}, {bound}
  br i1 %c, label %{branch}
out:
  ret void
}}
"""


def runs(text: str) -> dict[str, Runs]:
    return read_names(normalise(text), "f").runs


@pytest.mark.parametrize(
    ("text", "count", "rest"),
    [
        (counted("0", 1, "5"), 5.0, False),
        (counted("0", 16, "100"), 7.0, False),
        (counted("64", -4, "0"), 16.0, False),
        (counted("0", 1, "7", "%i"), 7.0, False),
        (counted("0", 1, "%n"), UNKNOWN, False),
        (counted("%n", 1, "5"), UNKNOWN, False),
        (counted("0", 1, "%odd"), 1.5, True),
        (counted("0", 1, "%low"), UNKNOWN, False),  # these are no lowest bits
    ],
)
def test_one_loop(text: str, count: float, rest: bool) -> None:
    found = runs(text)
    assert found["%loop"] == Runs(count, rest)
    assert found["%entry"] == found["%out"] == Runs()


def test_a_second_way_out_makes_no_count() -> None:
    text = counted("0", 1, "5").replace(
        "  %c = ", "  br i1 %z, label %out, label %more\nmore:\n  %c = "
    )
    found = runs(text.replace("[ %j, %loop ]", "[ %j, %more ]"))
    assert found["%loop"] == found["%more"] == Runs(UNKNOWN)


TWO = """
define void @f(i64 %n) {{
entry:
  %most = and i64 %n, -64
  br label %outer
outer:
  %k = phi i64 [ 0, %entry ], [ %l, %latch ]
  br label %main
main:
  %i = phi i64 [ 0, %outer ], [ %j, %main ]
  %j = add i64 %i, 64
  %c = icmp eq i64 %j, %most
  br i1 %c, label %between, label %main
between:
  %from = {start}
  br label %rest
rest:
  %p = phi i64 [ %from, %between ], [ %q, %rest ]
  %q = add i64 %p, {step}
  %d = icmp eq i64 %q, %n
  br i1 %d, label %latch, label %rest
latch:
  %l = add i64 %k, 1
  %e = icmp eq i64 %l, 3
  br i1 %e, label %end, label %outer
end:
  ret void
}}
"""


@pytest.mark.parametrize(
    ("start", "step", "count", "rest"),
    [
        ("add i64 %most, 0", 8, 3 * 3.5, True),
        ("add i64 %j, 0", 16, 3 * 1.5, True),
        ("add i64 %most, 0", 1, 3 * UNKNOWN, True),  # no more than the loop before it
        ("add i64 %most, 0", 64, 3 * UNKNOWN, False),  # as long
        ("add i64 %n, -9", 8, 3 * UNKNOWN, False),  # starts elsewhere
    ],
)
def test_what_is_left_over(start: str, step: int, count: float, rest: bool) -> None:
    found = runs(TWO.format(start=start, step=step))
    assert found["%rest"] == Runs(count, rest)
    assert found["%main"] == Runs(3 * UNKNOWN)
    assert found["%outer"] == found["%latch"] == Runs(3.0)
    assert found["%end"] == Runs()


def test_blocks_without_names_get_some() -> None:
    text = normalise("""
define i64 @f(i64 %0) {
  br label %2
2:
  %3 = phi i64 [ 0, %1 ], [ %4, %2 ]
  %4 = add i64 %3, 1
  %5 = icmp eq i64 %4, 9
  br i1 %5, label %6, label %2
6:
  ret i64 %4
}
define i64 @g(i64 %0) {
  br label %2
2:
  ret i64 %0
}
""")
    found = read_names(text, "f")
    assert normalise(found.text).count("isel.v2:") == 1
    assert "  ret i64 %0" in found.text and "  ret i64 %isel.v4" in found.text
    assert found.runs["%isel.v2"] == Runs(9.0)
    assert read_names(text, "h").text == text


@pytest.mark.parametrize(
    "line", ['  call void asm sideeffect "movq %1, %0", ""()', "  %4 = load %0, ptr null, align 8"]
)
def test_what_could_change_a_meaning_stays(line: str) -> None:
    head = "%0 = type { i64 }\n" if "load" in line else ""
    text = f"{head}define void @f(i64 %0) {{\n  br label %2\n\n2:\n{line}\n  ret void\n}}\n"
    assert read_names(text, "f").text == text


def test_names_for_numbers_are_free() -> None:
    text = "define void @f(i64 %0, i64 %isel.v0) {\n  br label %2\n\n2:\n  ret void\n}\n"
    named = read_names(text, "f")
    assert "i64 %isel.v.0, i64 %isel.v0" in named.text
    assert normalise(named.text) and named.runs.keys() == {"%isel.v.1", "%isel.v.2"}


def test_lines_without_loops() -> None:
    assert runs_of(["  ret void"]) == {"%": Runs()}


TWICE = """
define void @f(i64 %n) {
entry:
  %most = and i64 %n, -32
  br label %wide
wide:
  %i = phi i64 [ 0, %entry ], [ %j, %wide ]
  %j = add i64 %i, 64
  %done = icmp eq i64 %j, %most
  %k = add i64 %j, 32
  %odd = icmp eq i64 %k, %most
  %ends = or i1 %done, %odd
  br i1 %ends, label %rest, label %wide
rest:
  %x = phi i64 [ %most, %wide ], [ %y, %rest ]
  %y = add i64 %x, 8
  %c = icmp eq i64 %y, %n
  br i1 %c, label %out, label %rest
out:
  ret void
}
"""


def test_a_pass_that_counts_for_two() -> None:
    """The loop behind does what is left of steps of 32."""
    found = runs(TWICE)
    assert found["%wide"] == Runs(UNKNOWN / 2)
    assert found["%rest"] == Runs(1.5, rest=True)


def test_labels_mean_nothing() -> None:
    once = TWICE.replace("add i64 %j, 32", "add i64 %j, 16").replace("wide", "isel.twice.1")
    assert runs(once)["%isel.twice.1"] == Runs(UNKNOWN)
    assert runs(CHECKED.replace("apart", "isel.unlikely.7"))["%isel.unlikely.7"] == Runs()


CHECKED = """
define void @f(ptr %p, ptr %q, i64 %s, i1 %more) {
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %q to i64
  %gap = sub i64 %b, %a
  %moved = add i64 %gap, -8
  %far = icmp ult i64 %moved, -20
  %over = add i64 %s, -32
  %up = icmp ult i64 %over, 1099511627776
  %under = sub i64 -32, %s
  %down = icmp ult i64 %under, 1099511627776
  %step = or i1 %up, %down
  %both = and i1 %far, %step
  br i1 %both, label %apart, label %plain
apart:
  br label %out
plain:
  br label %out
out:
  ret void
}
"""


@pytest.mark.parametrize("test", ["far", "step", "both"])
def test_where_a_check_of_addresses_fails_code_seldom_runs(test: str) -> None:
    found = runs(CHECKED.replace("br i1 %both", f"br i1 %{test}"))
    assert (found["%apart"], found["%plain"]) == (Runs(), Runs(TRIPS_UNLIKELY))


@pytest.mark.parametrize("test", ["more", "up"])
def test_of_other_branches_nothing_is_known(test: str) -> None:
    changed = CHECKED.replace("1099511627776", "4096").replace("sub i64 %b, %a", "xor i64 %b, %a")
    assert runs(changed.replace("br i1 %both", f"br i1 %{test}"))["%plain"] == Runs()


FLAG = """
define void @f(i1 %z) {
entry:
  br label %loop
loop:
  %first = phi i1 [ true, %entry ], [ false, %latch ]
  br i1 %first, label %one, label %other
one:
  br label %latch
other:
  br i1 %z, label %more, label %latch
more:
  br label %latch
latch:
  br i1 %first, label %loop, label %out
out:
  ret void
}
"""


def test_a_flag_decides_in_two_passes() -> None:
    found = {name: r.count for name, r in runs(FLAG).items()}
    assert found["%loop"] == found["%latch"] == found["%more"] == 2
    assert found["%one"] == found["%other"] == found["%out"] == 1
    again = runs(FLAG.replace("[ false, %latch ]", "[ true, %latch ]"))
    assert again["%loop"].count == again["%one"].count == UNKNOWN


def test_a_name_with_a_number_in_it_is_no_number() -> None:
    name = '"%37"'
    text = normalise(f"""
define i64 @{name}(i64 %0, i1 %1) {{
  %3 = call i64 @{name}(i64 %0, i1 %1)
  br i1 %1, label %4, label %5
4:
  br label %5
5:
  %x = phi i64 [ %3, %4 ], [ 0, %2 ]
  ret i64 %x
}}
""")
    named = read_names(text, "%37").text
    assert normalise(named).count(f"@{name}(") == 2 and "\nisel.v2:\n" in named
