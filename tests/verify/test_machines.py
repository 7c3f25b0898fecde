"""What one machine may not take from another: its intrinsics, and how it hands values over."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Final

import pytest

from frontends.llvm.linked.binding import normalise, object_code
from frontends.llvm.refine.machines import why_not_across
from frontends.llvm.refine.options import Options
from frontends.llvm.text.identity import contents
from frontends.llvm.text.parse import parse_module
from isel.model.verdict import Proved, Unknown, Verdict
from semantics import target_named
from tests.verdicts import verify_modules

_TRIPLES = {
    "x86": "x86_64-unknown-linux-gnu",
    "arm": "aarch64-unknown-linux-gnu",
    "hvx": "hexagon-unknown-linux-musl",
}


def across(source: str, target: str, text: str, other: str = "") -> Verdict:
    """Decide whether a function for a machine is the same for another one."""
    a, b = (
        parse_module(normalise(f'target triple = "{_TRIPLES[name]}"\n{t}'))
        for name, t in ((source, text), (target, other or text))
    )
    isas = (target_named(source), target_named(target))
    found = dict(verify_modules(a, b, isas[0], Options(isas=isas)))
    return found["f"]


def test_an_intrinsic_of_the_source_is_none_of_the_target() -> None:
    """One that no instruction of lanes is: LLVM aborts on it."""
    kind = "{ <8 x i16>, <8 x i16> }"
    text = (
        f"declare {kind} @llvm.aarch64.neon.ld1x2.v8i16.p0(ptr)\n"
        "define void @f(ptr %o, ptr %p) {\n"
        f"  %x = call {kind} @llvm.aarch64.neon.ld1x2.v8i16.p0(ptr %p)\n"
        f"  %y = extractvalue {kind} %x, 0\n  store <8 x i16> %y, ptr %o, align 1\n  ret void\n}}\n"
    )
    found = across("arm", "x86", text)
    assert isinstance(found, Unknown) and "of another machine" in found.reason
    assert isinstance(across("arm", "arm", text), Proved)


_OF_OTHERS: Final = (
    "amdgcn", "arm", "bpf", "dx", "hexagon", "loongarch", "mips", "nvvm", "ppc", "r600", "riscv", "s390",
    "spv", "ve", "wasm", "xcore",
)  # fmt: skip


@pytest.mark.parametrize("of", _OF_OTHERS)
def test_an_intrinsic_of_a_third_machine(of: str) -> None:
    name = f"llvm.{of}.anything"
    text = f"declare i32 @{name}(i32)\ndefine i32 @f(i32 %x) {{\n%y = call i32 @{name}(i32 %x)\nret i32 %y\n}}"
    module = parse_module(text)
    isas = (target_named("x86"), target_named("arm"))
    options = Options(isas=isas)
    found = why_not_across((module.functions[0],) * 2, contents(module), options)
    assert found == f"a call of '{name}', which is of another machine"


def test_inline_assembly_is_for_one_machine() -> None:
    found = across(
        "x86", "arm", 'define void @f() {\ncall void asm sideeffect "nop", ""()\nret void\n}'
    )
    assert isinstance(found, Unknown) and "assembly" in found.reason


_HELPER = "define internal i32 @h(i16 %x) noinline {\n%y = sext i16 %x to i32\nret i32 %y\n}\n"
_CALL = "define void @f(i32 noundef %n) {{\n%x = trunc i32 %n to i16\n%y = {}\nret void\n}}"
_ALIKE = {
    "int": ("arm", "x86", "declare i32 @h(i32)\n" + _CALL.format("call i32 @h(i32 %n)")),
    "extended": (
        "arm", "x86", "declare i32 @h(i16 signext)\n" + _CALL.format("call i32 @h(i16 signext %x)")
    ),
    "own_function": ("arm", "x86", _HELPER + _CALL.format("call i32 @h(i16 %x)")),
    "callee_extends": ("x86", "arm", "declare i32 @h(i16)\n" + _CALL.format("call i32 @h(i16 %x)")),
    "result_on_x86": ("arm", "x86", "define i16 @f(i16 %x) {\nret i16 %x\n}"),
    "vector": ("arm", "x86", "define <4 x float> @f(<4 x float> %x) {\nret <4 x float> %x\n}"),
}  # fmt: skip
_UNLIKE = {
    "not_extended": ("arm", "x86", "declare i32 @h(i16)\n" + _CALL.format("call i32 @h(i16 %x)")),
    "not_extended_for_hexagon": (
        "arm", "hvx", "declare i32 @h(i8)\n" + _CALL.format("call i32 @h(i8 3)")
    ),
    "through_a_pointer": (
        "arm", "x86", "define void @f(ptr %p, i16 %x) {\ncall void %p(i16 %x)\nret void\n}"
    ),
    "no_caller_extends": ("x86", "arm", "define i16 @f(i16 signext %x) {\nret i16 %x\n}"),
    "no_callee_extends": (
        "x86", "arm",
        "declare zeroext i8 @h()\n" + _CALL.format("call zeroext i8 @h()"),
    ),
    "callers_rely_on_it": ("arm", "hvx", "define i16 @f(i16 signext %x) {\nret i16 %x\n}"),
    "structure": ("arm", "x86", "define void @f([2 x i64] %x) {\nret void\n}"),
    "result_structure": ("arm", "x86", "define { i64, i64 } @f() {\nret { i64, i64 } zeroinitializer\n}"),
    "in_memory": ("x86", "arm", "define void @f(ptr byval([32 x i8]) %x) {\nret void\n}"),
    "by_result": ("x86", "arm", "define void @f(ptr sret([32 x i8]) %x) {\nret void\n}"),
    "large": ("x86", "arm", "define i128 @f() {\nret i128 0\n}"),
    "x87": ("x86", "arm", "define void @f(x86_fp80 %x) {\nret void\n}"),
    "two_registers": ("x86", "arm", "define void @f(<32 x i8> %x) {\nret void\n}"),
    "call": ("arm", "x86", "declare i32 @h([2 x i64])\n" + _CALL.format("call i32 @h([2 x i64] zeroinitializer)")),
}  # fmt: skip


@pytest.mark.parametrize("name", _ALIKE)
def test_what_is_handed_over_alike(name: str) -> None:
    assert isinstance(across(*_ALIKE[name]), Proved)


@pytest.mark.parametrize("name", _UNLIKE)
def test_what_may_be_handed_over_in_another_way(name: str) -> None:
    found = across(*_UNLIKE[name])
    assert isinstance(found, Unknown) and re.search("is handed |another thing", found.reason)


def test_a_callee_may_be_for_another_machine() -> None:
    """Its attributes of a machine do not count, others do."""
    text = "declare void @h() #0\ndefine void @f() {{\ncall void @h() #0\nret void\n}}\nattributes #0 = {{ {} }}"
    plain = text.format('cold "target-cpu"="haswell" "tune-cpu"="generic"')
    other = text.format('cold uwtable(sync) "target-cpu"="generic"')
    assert isinstance(across("x86", "arm", plain, other), Proved)
    for more in ("cold nounwind", 'cold "alloc-family"="a"', 'cold "unsafe-fp-math"="true"'):
        assert isinstance(across("x86", "arm", plain, text.format(more)), Unknown), more


@pytest.mark.tools
@pytest.mark.parametrize("word", ["", "signext"])
def test_x86_believes_the_caller(word: str, tmp_path: Path) -> None:
    """Executed: what is not proved is wrong beside what C compiles to for x86."""
    text = (
        f"declare void @rest(i16 {word})\ndefine void @f(i32 %n) {{\n%x = trunc i32 %n to i16\n"
        f"call void @rest(i16 {word} %x)\nret void\n}}\n"
    )
    assert isinstance(across("arm", "x86", text), Proved) is bool(word)
    (tmp_path / "rest.c").write_text(
        "#include <stdio.h>\n#include <stdint.h>\nvoid f(int n);\n"
        'void rest(int16_t x) { printf("%d\\n", x + 0); }\nint main(void) { f(0x12345); }\n'
    )
    whole = f'target triple = "{_TRIPLES["x86"]}"\n{text}'
    code = object_code(normalise(whole), level=2, triple=_TRIPLES["x86"], cpu="x86-64", features="")
    (tmp_path / "f.o").write_bytes(code)
    files = [str(tmp_path / x) for x in ("rest.c", "f.o")]
    command = ["clang-19", "-O2", *files, "-o", str(tmp_path / "run")]
    subprocess.run(command, check=True, capture_output=True)
    run = subprocess.run([str(tmp_path / "run")], check=True, capture_output=True, text=True)
    assert (int(run.stdout) == 0x2345) is bool(word)


def test_functions_for_one_machine_are_not_asked() -> None:
    module = parse_module(normalise("define void @f([2 x i64] %x) {\nret void\n}"))
    x86, arm = target_named("x86"), target_named("arm")
    both = (module.functions[0], module.functions[0])
    for isas, reason in (((x86, x86), ""), ((x86, arm), "how [2 x i64] is handed to @f on arm")):
        assert why_not_across(both, contents(module), Options(isas=isas)).startswith(reason)
    assert not why_not_across(both, contents(module), Options(isas=(x86, x86)))


_ZEXT = "define i32 @f() {\n%x = call i8 @g()\n%y = zext i8 %x to i32\nret i32 %y\n}"
_ARGUMENT = "define i32 @f(i8 %x) {\n%y = zext i8 %x to i32\nret i32 %y\n}"
_FLAG = "define i1 @f(i32 %x) {\n%y = trunc i32 %x to i1\nret i1 %y\n}"
_AT_ONE = "define i64 @f(ptr %p) {\n%q = getelementptr ptr, ptr %p, i64 1\n%y = load i64, ptr %q, align 8\nret i64 %y\n}"
_ON_ITS_OWN_ACCOUNT = {
    "declaration": ("x86", "arm", f"declare i8 @g()\n{_ZEXT}", f"declare zeroext i8 @g()\n{_ZEXT}"),
    "argument": ("arm", "x86", _ARGUMENT, _ARGUMENT.replace("i8 %x)", "i8 zeroext %x)")),
    "other_argument": (
        "arm", "x86", _ARGUMENT.replace("i8 %x)", "i8 signext %x)"),
        _ARGUMENT.replace("i8 %x)", "i8 zeroext %x)"),
    ),
    "flag": ("arm", "x86", _FLAG, _FLAG),
    "flag_by_its_sign": ("arm", "x86", _FLAG, _FLAG.replace("define i1", "define signext i1")),
    "flags": ("x86", "arm", *["define <8 x i1> @f(<8 x i1> %x) {\nret <8 x i1> %x\n}"] * 2),
    "list_of_arguments": (
        "x86", "arm", *["define void @f(ptr %l) {\ncall void @llvm.va_start.p0(ptr %l)\nret void\n}\n"
        "declare void @llvm.va_start.p0(ptr)\n".replace("(ptr %l) {", "(ptr %l, ...) {")] * 2,
    ),
    "copy_of_a_list": (
        "x86", "arm", *[("define void @f(ptr %l, ptr %k) {\ncall void @llvm.va_copy.p0(ptr %l, ptr %k)\n"
        "ret void\n}\ndeclare void @llvm.va_copy.p0(ptr, ptr)\n")] * 2,
    ),
    "convention": ("x86", "arm", *["define x86_stdcallcc i32 @f(i32 %x) {\nret i32 %x\n}"] * 2),
    "pointers_of_another_size": ("x86", "hvx", _AT_ONE, _AT_ONE),
}  # fmt: skip


@pytest.mark.parametrize("name", _ON_ITS_OWN_ACCOUNT)
def test_what_a_machine_adds_of_its_own(name: str) -> None:
    assert isinstance(across(*_ON_ITS_OWN_ACCOUNT[name]), Unknown)
