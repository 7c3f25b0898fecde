"""A function by itself keeps its code, and the others become declarations that LLVM accepts."""

from __future__ import annotations

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.text.isolate import isolate, name_alone
from frontends.llvm.text.parse import parse_module

MODULE = normalise(
    """
target triple = "x86_64-pc-linux-gnu"
$c = comdat any
@g = internal global ptr @helper
define internal fastcc noundef range(i32 0, 7) i32 @helper(ptr noundef byval({ i32, i32 }) align 4 %p, i32 %x) unnamed_addr #0 {
  ret i32 0
}
define linkonce_odr void @c() comdat { ret void }
define private void @"odd name(" () { ret void }
define internal void @caller(ptr %q) #0 {
  %r = call fastcc i32 @helper(ptr byval({ i32, i32 }) align 4 %q, i32 1)
  call void @c()
  call void @"odd name("()
  ret void
}
attributes #0 = { nounwind "target-cpu"="haswell" }
"""
)


def test_the_function_is_external_and_the_others_declared() -> None:
    for name in ("caller", "helper", "c"):
        alone = parse_module(normalise(isolate(MODULE, name)))
        assert [f.name for f in alone.functions] == [name]
        header = alone.lines[alone.functions[0].first]
        assert "internal" not in header
        assert "linkonce" not in header


def test_its_code_stays() -> None:
    whole, alone = parse_module(MODULE), parse_module(normalise(isolate(MODULE, "caller")))
    f, g = (next(x for x in m.functions if x.name == "caller") for m in (whole, alone))
    assert whole.lines[f.first + 1 : f.last] == alone.lines[g.first + 1 : g.last]
    assert f.attributes == g.attributes


F = "define void @f(ptr %p) {\n  ret void\n}\n"
G = "define void @g() {\n  ret void\n}\n"
BESIDE = {
    "an alias": f"@al = alias void (), ptr @g\n{G}",
    "an alias of an alias": (
        "@al = weak hidden unnamed_addr alias void (), ptr @bl\n"
        f"@bl = internal alias i8, ptr @g\n{G}"
        "define void @h() {\n  call void @al()\n  ret void\n}\n"
    ),
    "an alias of itself": f"@al = alias void (ptr), ptr @f\n{G}",
    "an alias with parameters": (
        "@al = alias { i32, ptr } (ptr, ...), ptr @v\n"
        "define { i32, ptr } @v(ptr %p, ...) {\n  ret { i32, ptr } zeroinitializer\n}\n"
    ),
    "an alias of a variable": (
        "@x = global [4 x i32] zeroinitializer\n@al = alias i32, getelementptr (i8, ptr @x, i64 4)\n"
    ),
    "odd names": '@"a (b" = alias void (), ptr @"g = (x)"\n' + G.replace("@g", '@"g = (x)"'),
    "an ifunc": f"@i = ifunc void (), ptr @r\ndefine internal ptr @r() {{\n  ret ptr @g\n}}\n{G}",
    "a constructor": (
        "@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] "
        f"[{{ i32, ptr, ptr }} {{ i32 1, ptr @al, ptr null }}]\n@al = alias void (), ptr @g\n{G}"
    ),
    "a place in another function": (
        "@t = internal constant [1 x ptr] [ptr blockaddress(@g, %b)]\n"
        "define void @g(ptr %t) {\n  indirectbr ptr %t, [label %b]\nb:\n  ret void\n}\n"
    ),
    "without a name": (
        '@0 = private constant [3 x i8] c"@0\\00"\n'
        "define void @1() {\n  ret void\n}\n"
        "define void @h() {\n  call void @1()\n  %x = load i8, ptr @0\n  ret void\n}\n"
    ),
    "a symbol's exact name": (
        'define void @"\\01g"() {\n  ret void\n}\n'
        'define void @h() {\n  call void @"\\01g"()\n  ret void\n}\n'
    ),
    "assembly": 'module asm "nop"\n'
    + G.replace("  ret", '  call void asm "nop # @0", ""()\n  ret'),
}


@pytest.mark.parametrize("what", BESIDE)
def test_whatever_is_beside_it_is_declared(what: str) -> None:
    whole = parse_module(normalise(F + BESIDE[what]))
    for function in whole.functions:
        alone = parse_module(normalise(isolate(whole.text, function.name)))
        kept = name_alone(function.name)
        assert [f.name.strip('"') for f in alone.functions] == [kept]
        body = alone.lines[alone.functions[0].first : alone.functions[0].last]
        assert len(body) == function.last - function.first


def test_a_call_of_an_alias_stays_a_call() -> None:
    text = normalise(
        f"@al = alias void (), ptr @g\n{G}" + F.replace("  ret", "  call void @al()\n  ret")
    )
    alone = normalise(isolate(text, "f"))
    assert "declare void @al()" in alone
    assert "call void @al()" in alone
    assert "@al = alias void (), ptr @g" in normalise(isolate(text, "g"))


def test_functions_that_assembly_calls_otherwise_have_another_name() -> None:
    assert [name_alone(x) for x in ("f", '"a b"', "0", '"\\01f"', '"\\22f"')] == [
        "f",
        "a b",
        "isel.unnamed.0",
        "isel.exact",
        "isel.exact",
    ]
    text = normalise("define void @0() {\n  call void @0()\n  ret void\n}\n" + F)
    assert "call void @isel.unnamed.0()" in isolate(text, "0")
