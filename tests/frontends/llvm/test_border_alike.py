"""What both functions say alike around their bodies: a right change of the body is proved, a
wrong one is not, and a head that says something else is not compared.
"""

from __future__ import annotations

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.refine import whole
from frontends.llvm.text.parse import parse_module
from isel.model.verdict import Proved, Verdict
from semantics import target_named
from tests.verdicts import verify_modules

# {N} is the name, {P} stands for a pointer argument's attributes; the body stores twice %x
_PLAIN = "define void @{N}(ptr %o, i8 %x)"
_HEADS = {
    "fastcc": "define fastcc void @{N}(ptr %o, i8 %x)",
    "ghccc": "define ghccc void @{N}(ptr %o, i8 %x)",
    "interrupt": "define x86_intrcc void @{N}(ptr byval([8 x i8]) %o, i8 %x)",
    "numbered": "define cc 11 void @{N}(ptr %o, i8 %x)",
    "regcall": "define x86_regcallcc void @{N}(ptr inreg %o, i8 %x)",
    "tail": "define tailcc void @{N}(ptr %o, i8 %x)",
    "preserving": "define preserve_nonecc void @{N}(ptr %o, i8 %x)",
    "dll": "define dllexport void @{N}(ptr %o, i8 %x)",
    "linkage": "define linkonce_odr hidden void @{N}(ptr %o, i8 %x) unnamed_addr comdat($c)",
    "placed": 'define void @{N}(ptr %o, i8 %x) section ".hot" partition "p" align 64 gc "g"',
    "data": "define void @{N}(ptr %o, i8 %x) prefix i32 7 prologue i8 3 personality ptr @who",
    "metadata": "define void @{N}(ptr %o, i8 %x) !prof !0 !kcfi_type !1",
    "function": "define void @{N}(ptr %o, i8 %x) unnamed_addr returns_twice jumptable",
    "coroutine": "define void @{N}(ptr %o, i8 %x) presplitcoroutine",
    "sanitized": "define void @{N}(ptr %o, i8 %x) sanitize_type sanitize_realtime",
    "promised": "define void @{N}(ptr dead_on_unwind writable initializes((0, 1)) %o, i8 %x)",
    "initialized": "define void @{N}(ptr captures(none) initializes((0, 1)) %o, i8 %x)",
    "pointer": "define void @{N}(ptr nonnull align 4 dereferenceable(8) allocptr %o, i8 %x)",
    "returned_memory": "define void @{N}(ptr sret(i8) align 1 %o, i8 noundef range(i8 0, 9) %x)",
    "in_memory": "define void @{N}(i8 %x, ptr inalloca(i8) %o)",
    "swift": "define swiftcc void @{N}(ptr swiftself %o, i8 %x)",
    "extended": "define void @{N}(ptr %o, i8 zeroext %x) memory(argmem: write) nofree nosync",
    "float": "define void @{N}(ptr %o, i8 %x, float nofpclass(nan) %f)",
}
_TAIL = """
declare i32 @who(...)
$c = comdat any
!0 = !{!"function_entry_count", i64 3}
!1 = !{i32 77}
"""
_TWICE = "  %y = add i8 %x, %x\n  store i8 %y, ptr %o, align 1\n"
_SHIFTED = "  %y = shl i8 %x, 1\n  store i8 %y, ptr %o, align 1\n"
_WRONG = "  %y = shl i8 %x, 2\n  store i8 %y, ptr %o, align 1\n"


def _verdict(heads: tuple[str, str], bodies: tuple[str, str], end: str = "  ret void\n") -> Verdict:
    text = "".join(
        f"{head.replace('{N}', name)} {{\n{body}{end}}}\n"
        for name, head, body in zip(("src", "tgt"), heads, bodies, strict=True)
    )
    module = parse_module(normalise(text + _TAIL))
    ((_, verdict),) = verify_modules(module, None, target_named("x86"))
    return verdict


@pytest.mark.parametrize("name", _HEADS)
def test_the_same_on_both_sides(name: str) -> None:
    head = _HEADS[name]
    assert isinstance(_verdict((head, head), (_TWICE, _SHIFTED)), Proved)
    assert not isinstance(_verdict((head, head), (_TWICE, _WRONG)), Proved)


@pytest.mark.parametrize("name", [n for n in _HEADS if n != "float"])
def test_on_one_side_alone(name: str) -> None:
    """What the target adds is refused, but for what its body shows."""
    verdict = _verdict((_PLAIN, _HEADS[name]), (_TWICE, _SHIFTED))
    assert isinstance(verdict, Proved) is (name == "initialized")


_PROMISE = "define {R} @{N}(ptr initializes((0, 2), (4, 5)) %o, i8 %x)"
_FULL = "  store i16 0, ptr %o\n  %q = getelementptr i8, ptr %o, i64 4\n  store i8 %x, ptr %q\n"
_KEPT = {
    "in_two": (
        _FULL,
        (
            "  store i8 0, ptr %o\n  %p = getelementptr i8, ptr %o, i64 1\n  store i8 0, ptr %p\n"
            "  %q = getelementptr i8, ptr %o, i64 4\n  store i8 %x, ptr %q\n"
        ),
    ),
    "in_another_order": (
        _FULL,
        "  %q = getelementptr i8, ptr %o, i64 4\n  store i8 %x, ptr %q\n  store i16 0, ptr %o\n",
    ),
    "what_is_read_is_not_promised": (
        f"  %r = getelementptr i8, ptr %o, i64 3\n  %l = load i8, ptr %r\n{_FULL}",
        f"{_FULL}  %r = getelementptr i8, ptr %o, i64 3\n  %l = load i8, ptr %r\n",
    ),
    "read_when_it_is_written": (_FULL, f"{_FULL}  %l = load i8, ptr %q\n"),
}
_BROKEN = {
    "poison_left_out": (
        "  store i16 poison, ptr %o\n  %q = getelementptr i8, ptr %o, i64 4\n  store i8 %x, ptr %q\n",
        "  %q = getelementptr i8, ptr %o, i64 4\n  store i8 %x, ptr %q\n",
    ),
    "half_left_out": (
        "  store i16 poison, ptr %o\n  %q = getelementptr i8, ptr %o, i64 4\n  store i8 %x, ptr %q\n",
        "  store i8 0, ptr %o\n  %q = getelementptr i8, ptr %o, i64 4\n  store i8 %x, ptr %q\n",
    ),
    "read_first": (_FULL, f"  %l = load i8, ptr %o\n{_FULL}"),
    "last_byte_read_first": (
        _FULL, f"  %r = getelementptr i8, ptr %o, i64 4\n  %l = load i8, ptr %r\n{_FULL}"
    ),
    "read_between": (
        _FULL,
        ("  store i16 0, ptr %o\n  %q = getelementptr i8, ptr %o, i64 4\n  %l = load i8, ptr %q\n"
        "  store i8 %x, ptr %q\n"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", _KEPT)
def test_a_promise_to_initialize_is_kept(name: str) -> None:
    heads = (_PROMISE.replace("{R}", "void"),) * 2
    assert isinstance(_verdict(heads, _KEPT[name]), Proved)


@pytest.mark.parametrize("name", _BROKEN)
def test_a_promise_to_initialize_is_broken(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The target refines what the source stores, and says that it reads nothing before; nothing
    else refuses it.
    """
    heads = (_PROMISE.replace("{R}", "void"),) * 2
    assert not isinstance(_verdict(heads, _BROKEN[name]), Proved)
    monkeypatch.setattr(whole, "why_not_initialized", lambda function, memory: "")
    assert isinstance(_verdict(heads, _BROKEN[name]), Proved)


@pytest.mark.parametrize(
    ("kind", "ok", "bad"),
    [
        ("i8 returned %x, i8 %y", "ret i8 %x", "ret i8 %y"),
        ("float returned %x, float %y", "ret float %x", "ret float %y"),
        ("ptr returned %x, ptr %y", "ret ptr %x", "ret ptr %y"),
    ],
)
def test_what_is_returned(kind: str, ok: str, bad: str) -> None:
    """The source keeps the promise, so what refines it does."""
    result = kind.split()[0]
    head = f"define {result} @{{N}}({kind}, i8 %z)"
    dead = "  %d = add i8 %z, 0\n"
    assert isinstance(_verdict((head, head), (f"{dead}  {ok}\n", f"  {ok}\n"), ""), Proved)
    assert not isinstance(_verdict((head, head), (f"{dead}  {ok}\n", f"  {bad}\n"), ""), Proved)
