"""What a function says of itself that the other one does not: kept if its own body shows it."""

from __future__ import annotations

import pytest

from frontends.llvm.cuts.inferred import keeps
from frontends.llvm.function.graph import Graph
from frontends.llvm.linked.binding import normalise
from frontends.llvm.text.identity import contents
from frontends.llvm.text.layout import Sizes, read_layout
from frontends.llvm.text.parse import parse_module
from isel.model.verdict import Proved, Unknown, Verdict
from semantics import target_named
from tests.verdicts import verify_modules

_STRAIGHT = """\
define ptr @NAME(ptr {o} %o, ptr {p} %p, i64 %n) {f} {{
  {first}
  %a = getelementptr i32, ptr %p, i64 %n
  %x = load i32, ptr %a, align 4
  %b = getelementptr i32, ptr %o, i64 %n
  store i32 %x, ptr %b, align 4
  {last}
}}
"""
_LOOP = """\
define void @NAME(ptr {o} %o, ptr {p} %p, i64 %n) {f} {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  %x = load i32, ptr %a, align 4
  %b = getelementptr i32, ptr %o, i64 %i
  {first}
  store i32 %x, ptr %b, align 4
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}}
"""
_REST = "@g = external global i32\ndeclare void @h()\ndeclare ptr @k(ptr)\n"


def verdict(text: str, first: str = "", last: str = "ret ptr null", **said: str) -> Verdict:
    """Decide whether a function that says more of itself refines the one that says nothing."""
    words = [{"o": "", "p": "", "f": ""}, {"o": "", "p": "", "f": "", **said}]
    both = "".join(
        text.format(first=first, last=last, **w).replace("NAME", name)
        for name, w in zip(("src", "tgt"), words, strict=True)
    )
    module = parse_module(normalise(both + _REST))
    ((_, found),) = verify_modules(module, None, target_named("x86"))
    return found


_KEPT = {
    "memory": (_LOOP, "", {"f": "memory(argmem: readwrite)"}),
    "memory_of_a_slot": (
        _STRAIGHT, "%s = alloca i32\nstore i32 1, ptr %s", {"f": "memory(argmem: readwrite)"}
    ),
    "memory_of_a_global": (_LOOP, "store i32 0, ptr @g", {"f": "memory(readwrite, argmem: readwrite)"}),
    "readonly": (_LOOP, "", {"p": "readonly"}),
    "writeonly": (_LOOP, "", {"o": "writeonly"}),
    "captures": (_LOOP, "", {"p": "captures(none)", "o": "captures(none)"}),
    "nofree": (_LOOP, "", {"p": "nofree", "f": "nofree"}),
    "calls_nothing": (_LOOP, "", {"f": "nosync norecurse nocallback nounwind"}),
    "comes_back": (_STRAIGHT, "", {"f": "mustprogress willreturn"}),
}  # fmt: skip
_BROKEN = {
    "memory": (_LOOP, "", {"f": "memory(argmem: read)"}),
    "memory_written": (_LOOP, "", {"f": "memory(argmem: write)"}),
    "memory_none": (_STRAIGHT, "", {"f": "memory(none)"}),
    "memory_of_a_global": (_LOOP, "store i32 0, ptr @g", {"f": "memory(argmem: readwrite)"}),
    "memory_of_what_was_loaded": (
        _STRAIGHT, "%q = load ptr, ptr %p\nstore i32 1, ptr %q", {"f": "memory(argmem: readwrite)"}
    ),
    "readonly": (_LOOP, "", {"o": "readonly"}),
    "readonly_by_an_integer": (
        _STRAIGHT,
        "%j = ptrtoint ptr %p to i64\n%q = inttoptr i64 %j to ptr\nstore i32 1, ptr %q",
        {"p": "readonly"},
    ),
    "readonly_by_a_phi": (
        _LOOP.replace("%next = add", "%q = select i1 true, ptr %o, ptr %p\nstore i32 1, ptr %q\n%next = add"),
        "", {"p": "readonly"},
    ),
    "writeonly": (_LOOP, "", {"p": "writeonly"}),
    "readnone": (_LOOP, "", {"p": "readnone"}),
    "captured_by_a_store": (_LOOP, "store ptr %p, ptr %b", {"p": "captures(none)"}),
    "captured_further_on": (_LOOP, "store ptr %a, ptr %b", {"p": "captures(none)"}),
    "captured_by_a_comparison": (_LOOP, "%c = icmp eq ptr %p, null", {"p": "captures(none)"}),
    "captured_by_an_integer": (_LOOP, "%j = ptrtoint ptr %p to i64", {"p": "captures(none)"}),
    "calls": (_LOOP, "call void @h()", {"f": "nosync"}),
    "calls_what_frees": (_STRAIGHT, "call void @h()", {"f": "nofree"}),
    "calls_with_it": (_STRAIGHT, "%c = call ptr @k(ptr %p)", {"p": "captures(none)"}),
    "waits": (_STRAIGHT, "fence seq_cst", {"f": "nosync"}),
    "volatile": (_STRAIGHT, "%v = load volatile i32, ptr %p", {"f": "nosync"}),
    "may_go_on": (_LOOP, "", {"f": "mustprogress"}),
    "may_not_come_back": (_LOOP, "", {"f": "willreturn"}),
    "a_call_may_not_come_back": (_STRAIGHT, "call void @h()", {"f": "willreturn"}),
    "noreturn": (_STRAIGHT, "", {"f": "noreturn"}),
    "noalias": (_LOOP, "", {"o": "noalias"}),
    "nonnull": (_LOOP, "", {"o": "nonnull"}),
    "dereferenceable": (_LOOP, "", {"o": "dereferenceable(4)"}),
    "align": (_LOOP, "", {"o": "align 4"}),
    "noundef": (_LOOP, "", {"o": "noundef"}),
    "initializes": (_LOOP, "", {"o": "initializes((0, 4))"}),
    "speculatable": (_STRAIGHT, "", {"f": "speculatable"}),
    "writable": (_LOOP, "", {"o": "writable dereferenceable(4)"}),
    "dead": (_LOOP, "", {"o": "dead_on_unwind"}),
}  # fmt: skip


@pytest.mark.parametrize("name", _KEPT)
def test_what_the_body_shows(name: str) -> None:
    text, first, said = _KEPT[name]
    assert isinstance(found := verdict(text, first, **said), Proved), found


@pytest.mark.parametrize("name", _BROKEN)
def test_what_the_body_does_not_show(name: str) -> None:
    text, first, said = _BROKEN[name]
    found = verdict(text, first, **said)
    assert isinstance(found, Unknown), found
    assert isinstance(verdict(text, first), Proved)


def test_a_pointer_that_is_returned_is_captured() -> None:
    assert isinstance(verdict(_STRAIGHT, last="ret ptr %a", p="captures(none)"), Unknown)


@pytest.mark.parametrize(
    "head",
    [
        "define noundef nonnull ptr @NAME(ptr %o)",
        "define ptr @NAME(ptr returned writable dereferenceable(4) %o)",
        "define ptr @NAME(ptr nonnull noalias align 4 initializes((0, 4)) %o)",
        "define ptr @NAME(ptr %o) mustprogress willreturn speculatable",
    ],
)
def test_what_the_source_alone_says_may_be_dropped(head: str) -> None:
    body = " {\nstore i32 1, ptr %o\nret ptr %o\n}\n"
    both = head.replace("NAME", "src") + body + "define ptr @tgt(ptr %o)" + body
    ((_, found),) = verify_modules(parse_module(normalise(both)), None, target_named("x86"))
    assert isinstance(found, Proved), found


def test_what_is_of_no_row_is_not_shown() -> None:
    module = parse_module(normalise("define void @f(ptr %p) {\nret void\n}"))
    graph = Graph(module.functions[0], contents(module), Sizes(read_layout(""), {}))
    assert keeps(graph, "p", "captures(none)") and keeps(graph, "", "memory(none)")
    assert not keeps(graph, "p", "noalias") and not keeps(graph, "", "noreturn")
