"""The table of what surrounds a function: nothing that LLVM may add gets through it, and each
rule does what it says.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.meaning.border import (
    FLAGS,
    TABLE,
    Rule,
    rule_of,
    why_refused,
)
from frontends.llvm.paths.heads import argument_access, compare
from frontends.llvm.text.identity import Pairing, contents, identical, tokens
from frontends.llvm.text.parse import parse_module
from isel.errors import BadModule
from isel.model.verdict import Proved, Unknown
from tests.verdicts import verify_modules

_ADD = "  %r = add i32 %x, 0\n  ret i32 %r\n}\n"
_RETURN = "  ret i32 %x\n}\n"


def _reason(head: str, other: str, body: str = _RETURN) -> str:
    """Return why two functions with these heads and different bodies are not compared."""
    module = parse_module(
        normalise(
            f"define {head.replace('NAME', 'src')} {{\n{_ADD}define {other.replace('NAME', 'tgt')} {{\n{body}"
        )
    )
    said = contents(module)
    source, target = module.functions
    return compare(source, target, Pairing(said, said)).problem


@pytest.mark.parametrize("place", list(TABLE))
def test_what_is_in_no_row_is_refused(place: str) -> None:
    assert rule_of(place, "some_attribute_of_llvm_99") is None
    assert rule_of(place, "some_attribute_of_llvm_99(3)") is None


def test_a_new_attribute_of_a_function_is_refused() -> None:
    """LLVM knows the word and the table does not."""
    head = "i32 @NAME(i32 %x) strictfp"
    assert "not understood" in _reason(head, head)


_SPELLED = {
    "align": "align 8", "prefix": "prefix i32 1", "prologue": "prologue i32 1", "personality": "personality ptr null", "section": 'section "s"',
    "partition": 'partition "p"', "gc": 'gc "g"', "addrspace": "", "optnone": "noinline optnone", "vscale_range": "vscale_range(1,2)",
    "alignstack": "alignstack(8)", "jumptable": "unnamed_addr jumptable", "allocsize": "allocsize(0)", "allockind": 'allockind("alloc")',
}  # fmt: skip


def test_attributes_that_llvm_knows_are_in_the_table() -> None:
    """Each word of the row is one that LLVM reads there, or the row is about nothing."""
    for word in [
        w for w, rule in TABLE["function"].items() if w != '"…"' and rule is not Rule.MODELLED
    ]:
        try:
            normalise(
                ("$f = comdat any\n" if word == "comdat" else "")
                + f"define i32 @f(i32 %x) {_SPELLED.get(word, word)} {{\n{_RETURN}"
            )
        except BadModule as problem:
            pytest.fail(f"{word}: {problem.message()}")


@pytest.mark.parametrize(
    ("mine", "theirs", "reason"),
    [
        ("i32 @NAME(i32 %x)", "i32 @NAME(i32 zeroext %x)", "of the argument differ: zeroext"),
        ("i32 @NAME(i32 %x)", "signext i32 @NAME(i32 %x)", "of the result differ: signext"),
        (
            "i32 @NAME(i32 %x)",
            "i32 @NAME(i32 %x) null_pointer_is_valid",
            "of the function differ: null_pointer_is_valid",
        ),
        ('i32 @NAME(i32 %x) "a"="b"', 'i32 @NAME(i32 %x) "a"="c"', "of the function differ"),
        ("i32 @NAME(i32 %x)", "i32 @NAME(i32 %x) prefix i8 3", "of the function differ: prefix"),
        ("i32 @NAME(i32 %x) prefix i8 4", "i32 @NAME(i32 %x) prefix i8 3", "what follows"),
        ("i32 @NAME(i32 noundef %x) nounwind", "i32 @NAME(i32 %x) willreturn", ""),
    ],
)
def test_heads(mine: str, theirs: str, reason: str) -> None:
    found = _reason(mine, theirs)
    assert reason in found and bool(reason) == bool(found)


@pytest.mark.parametrize(
    ("argument", "memory", "access"),
    [
        ("", "", (True, True)),
        ("", "memory(none)", (False, False)),
        ("", "memory(read)", (True, False)),
        ("", "memory(write)", (False, True)),
        ("", "memory(readwrite)", (True, True)),
        ("", "memory(argmem: read)", (True, False)),
        ("", "memory(argmem: write)", (False, True)),
        ("", "memory(argmem: readwrite)", (True, True)),
        ("", "memory(inaccessiblemem: readwrite)", (False, False)),
        ("", "memory(read, argmem: none)", (False, False)),
        ("", "memory(readwrite, argmem: write)", (False, True)),
        ("", "memory(write, inaccessiblemem: read)", (False, True)),
        ("", "memory(read, inaccessiblemem: readwrite)", (True, False)),
        ("readonly", "", (True, False)),
        ("writeonly", "", (False, True)),
        ("readnone", "", (False, False)),
        ("readonly", "memory(argmem: write)", (False, False)),
        ("noalias", "nounwind", (True, True)),
    ],
)
def test_what_may_be_read_and_written(
    argument: str, memory: str, access: tuple[bool, bool]
) -> None:
    a = (
        parse_module(normalise(f"define void @f(ptr {argument} %p) {{\n  ret void\n}}\n"))
        .functions[0]
        .arguments[0]
    )
    assert argument_access(a, ["nounwind", *([memory] if memory else [])]) == access


_FLAGS = """
nuw nsw: add sub mul shl trunc | exact: udiv sdiv lshr ashr | disjoint: or | nneg: zext | samesign: icmp | inbounds nusw nuw: getelementptr
tail notail nnan ninf nsz arcp contract afn reassoc fast: call
nnan ninf nsz arcp contract afn reassoc fast: fadd fsub fmul fdiv frem fneg fcmp fptrunc fpext select phi
"""


def test_flags_of_an_instruction_are_in_the_table() -> None:
    module = parse_module(
        normalise(f"define i32 @f(i32 %x) {{\n  %r = add nuw nsw i32 %x, 0\n{_RETURN}")
    )
    instr, said = module.functions[0].blocks[0].instrs[0], contents(module)
    for flags, _, opcodes in (
        row.partition(":") for line in _FLAGS.strip().splitlines() for row in line.split("|")
    ):
        for opcode in opcodes.split():
            assert (
                why_refused(replace(instr, opcode=opcode, flags=frozenset(flags.split())), said)
                == ""
            ), opcode
            assert (
                why_refused(replace(instr, opcode=opcode, flags=frozenset({"volatile"})), said)
                == f"'volatile' of '{opcode}'"
            )
    assert why_refused(replace(instr, opcode="xor"), said) == "'nsw' of 'xor'"
    assert "xor" not in FLAGS


def test_debug_locations_are_no_tokens() -> None:
    assert tokens("%r = add i32 %x, 1, !dbg !7, !a !8") == tokens("%r = add i32 %x, 1, !a !8")
    assert tokens("ret void, !dbg !DILocation(line: 1, scope: !{}, column: (2))") == ["ret", "void"]
    assert tokens("ret void, !dbg !DILocation(line: 1, scope: !{}), !a !8") == tokens(
        "ret void, !a !8"
    )
    assert tokens("ret void, !a !8, !dbg !DILocation(line: 1, column: (2") == tokens(
        "ret void, !a !8"
    )
    assert tokens("!dbg !7") == [] and tokens("ret void, !dbg") == ["ret", "void"]
    assert tokens("define void @f() #0 !dbg !7 {") == tokens("define void @f() #0 {")


def test_records_of_the_debugger_say_nothing() -> None:
    """Neither do calls of its intrinsics, as older files have them."""
    text = "define i32 @f(i32 %x) {{\n{0}  %r = add i32 %x, 1\n  ret i32 %r\n}}\n{1}"
    plain, record, call = (
        parse_module(text.format(*x))
        for x in (
            ("", ""),
            ("  #dbg_value(i32 %x, !1, !DIExpression(), !2)\n", ""),
            ("  call void @llvm.dbg.value(i32 %x)\n", ""),
        )
    )
    for a, b in itertools.product((plain, record, call), repeat=2):
        assert identical(a.functions[0], b.functions[0], Pairing(contents(a), contents(b)))


_CALLS = "define void @f(i32 %x) {\n  call void @g(i32 %x)\n  call void @h()\n  ret void\n}\n"


@pytest.mark.parametrize(
    ("mine", "theirs", "same"),
    [
        (
            "define void @g(i32 %a) {\n  ret void\n}",
            "define void @g(i32 %b) {\n  unreachable\n}",
            True,
        ),
        (
            "define void @g(i32 %a) {\n  ret void\n}",
            "define void @g(i32 zeroext %a) {\n  ret void\n}",
            False,
        ),
        (
            "define void @g(i32 %a) {\n  ret void\n}",
            "define void @g(i32 %a) nounwind {\n  ret void\n}",
            False,
        ),
        ("declare void @g(i32)", "declare void @g(i32)", True),
        ("declare void @g(i32)", "declare void @g(i32) nounwind", False),
        ("declare void @g(i32)", "declare void @g(i32 zeroext)", False),
        ("declare void @g(i32)", "declare i8 @g(i32)", False),
        ("define void @g(i32 %a) {\n  ret void\n}", "define i8 @g(i32 %a) {\n  ret i8 0\n}", False),
        ("declare void @h()", "define void @h() {\n  ret void\n}", True),
        ("declare void @h()", "define void @h() nounwind {\n  ret void\n}", False),
        ("declare void @h()", "define i32 @h() {\n  ret i32 0\n}", False),
    ],
)
def test_functions_that_are_called_are_what_others_see_of_them(
    mine: str, theirs: str, same: bool
) -> None:
    texts = []
    for text in (mine, theirs):
        other = "declare void @h()\n" if "@g" in text else "declare void @g(i32)\n"
        texts.append(
            parse_module(
                normalise(
                    (_CALLS if "i32 @h" not in text else _CALLS.replace("void @h", "i32 @h"))
                    + text
                    + "\n"
                    + other
                )
            )
        )
    a, b = texts
    assert identical(a.functions[0], b.functions[0], Pairing(contents(a), contents(b))) is same


@pytest.mark.parametrize(
    "change",
    [
        lambda head: head.removesuffix("{"),
        lambda head: head.replace("@src", "@other"),
        lambda head: "",
    ],
)
def test_heads_that_are_not_understood(change: Callable[[str], str]) -> None:
    module = parse_module(
        normalise(f"define i32 @src(i32 %x) {{\n{_RETURN}define i32 @tgt(i32 %x) {{\n{_RETURN}")
    )
    said = contents(module)
    source, target = module.functions
    bad = replace(source, head=change(source.head))
    assert (
        compare(bad, target, Pairing(said, said)).problem
        == compare(target, bad, Pairing(said, said)).problem
        == "a head that is not understood, or a variable number of arguments"
    )


_TYPES = "%T = type {{ i32, {0} }}\ndefine i32 @f(ptr %p) {{\n  %q = getelementptr %T, ptr %p, i64 1\n  %r = load i32, ptr %q, align 4\n  ret i32 %r\n}}\n"


@pytest.mark.parametrize(("other", "same"), [("i32", True), ("i64", False)])
def test_types_are_compared_by_definition(other: str, same: bool) -> None:
    a, b = (
        parse_module(normalise(_TYPES.format("i32"))),
        parse_module(normalise(_TYPES.format(other))),
    )
    assert identical(a.functions[0], b.functions[0], Pairing(contents(a), contents(b))) is same


def test_a_name_that_is_of_a_type_as_well_is_no_identity() -> None:
    """``%A`` may be either: what cannot be told apart is not the same."""
    text = "%A = type { i32 }\n%B = type { i64 }\n"
    text += "define i64 @NAME(ptr %X) {\n  %q = getelementptr %X, ptr %X, i64 1\n  %r = ptrtoint ptr %q to i64\n  ret i64 %r\n}\n"
    one = text.replace("NAME", "src").replace("%X", "%A")
    two = text[text.index("define") :].replace("NAME", "tgt").replace("%X", "%B")
    ((_, verdict),) = verify_modules(parse_module(normalise(one + two)), None, None)
    assert isinstance(verdict, Unknown)


def test_a_name_that_is_of_a_type_in_one_module_alone_is_no_identity() -> None:
    types, text = (
        "%A = type { i32 }\n",
        "define i32 @f(i32 %A) {\n  %r = add i32 %A, 1\n  ret i32 %r\n}\n@t = external global %A\n",
    )
    with_type, without = (
        parse_module(normalise(t)) for t in (types + text, text.replace("global %A", "global i32"))
    )
    for a, b in ((with_type, without), (without, with_type), (with_type, with_type)):
        assert not identical(a.functions[0], b.functions[0], Pairing(contents(a), contents(b)))
    assert identical(
        without.functions[0], without.functions[0], Pairing(contents(without), contents(without))
    )


def test_a_type_that_one_module_lacks_is_no_identity() -> None:
    plain, typed = (contents(parse_module(x)) for x in ("", "%A = type { i32 }\n"))
    for a, b in ((plain, typed), (typed, plain)):
        assert not Pairing(a, b).same(["%A"], ["%A"])
    assert Pairing(typed, typed).same(["%A"], ["%A"])


@pytest.mark.parametrize("other", ["@g = global i8 7", "@g = external constant i8"])
def test_globals_are_compared_from_their_first_word(other: str) -> None:
    text = "define i8 @f() {\n  %r = load i8, ptr @g, align 1\n  ret i8 %r\n}\n"
    a, b = (parse_module(normalise(f"{x}\n{text}")) for x in ("@g = constant i8 7", other))
    assert identical(a.functions[0], a.functions[0], Pairing(contents(a), contents(a)))
    assert not identical(a.functions[0], b.functions[0], Pairing(contents(a), contents(b)))


def test_distinct_nodes_are_paired_one_to_one() -> None:
    text = "define void @f(ptr %p) {{\n  store i8 1, ptr %p, align 1, !alias.scope !{0}\n  store i8 2, ptr %p, align 1, !noalias !{1}\n  ret void\n}}\n"
    text += "!0 = !{{!2}}\n!1 = !{{!3}}\n!2 = distinct !{{!2, !4}}\n!3 = distinct !{{!3, !4}}\n!4 = distinct !{{!4}}\n"
    a, b, c = (parse_module(normalise(text.format(*x))) for x in ((0, 1), (1, 0), (0, 0)))
    for other, same in ((b, True), (c, False)):
        assert isinstance(verify_modules(a, other, None)[0][1], Proved) is same


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("e-i64:64", "e-i64:32"), "data layouts"),
        (("x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"), "triples"),
        ((".globl a", ".globl b"), "assemblies"),
        (("i32 1, ", "i32 2, "), "!llvm.module.flags"),
    ],
)
def test_modules_that_differ_as_a_whole(change: tuple[str, str], reason: str) -> None:
    text = 'target datalayout = "e-i64:64"\ntarget triple = "x86_64-unknown-linux-gnu"\nmodule asm ".globl a"\n'
    text += f'define i32 @f(i32 %x) {{\n{_RETURN}!llvm.module.flags = !{{!0}}\n!0 = !{{i32 1, !"wchar_size", i32 4}}\n'
    a, b = parse_module(normalise(text)), parse_module(normalise(text.replace(*change)))
    assert isinstance(verify_modules(a, a, None)[0][1], Proved)
    ((_, verdict),) = verify_modules(a, b, None)
    assert isinstance(verdict, Unknown) and reason in verdict.reason
