"""What the verifier of functions refuses to judge, says in words, and compares between modules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.meaning import choice as refine_choice
from frontends.llvm.meaning.lanes import Cannot
from frontends.llvm.paths.size import put_in_order, too_large
from frontends.llvm.refine import decide as entry
from frontends.llvm.refine.report import verify_report
from frontends.llvm.text.ast import Module
from frontends.llvm.text.parse import parse_module
from isel.model.verdict import Proved, Refuted, Unknown, Verdict
from tests.verdicts import verify_modules

_V = "<4 x i32>"


def _module(text: str) -> Module:
    return parse_module(normalise(text))


def _pair(
    source: str, target: str, head: str = f"{_V} @NAME(ptr %p, ptr %q, {_V} %a)", prefix: str = ""
) -> Verdict:
    """Return the verdict on two bodies."""
    texts = [
        f"define {head.replace('NAME', n)} {{\n{body}\n}}\n"
        for n, body in (("src", source), ("tgt", target))
    ]
    ((_, verdict),) = verify_modules(_module(prefix + "".join(texts)), None, None)
    return verdict


_LOAD = f"%v = load {_V}, ptr %p, align 16\n"
_RET = f"ret {_V} %v"
_OTHER = f"%w = add {_V} %v, splat (i32 1)\nret {_V} %w"
_ALIAS = f"store {_V} zeroinitializer, ptr %q, align 16\n"
_BRANCH = (
    f"%x = extractelement {_V} %a, i32 0\n%c = icmp eq i32 %x, 0\nbr i1 %c, label %l, label %e\n"
)

_REFUSED = [
    ("wider load", f"%x = load i32, ptr %p, align 16\n%v = insertelement {_V} poison, i32 %x, i32 0\n{_RET}", _LOAD + _RET, "bytes that the source does not"),
    ("alignment raised", f"%v = load {_V}, ptr %p, align 4\n{_RET}", _LOAD + _RET, "alignment"),
    ("load across a store that may alias", _LOAD + _ALIAS + _RET, _ALIAS + _LOAD + _RET, "alias"),
    ("volatile", f"%v = load volatile {_V}, ptr %p, align 16\n{_RET}", _LOAD + _RET, "volatile"),
    ("new inbounds", f"%g = getelementptr i8, ptr %p, i64 16\n%v = load {_V}, ptr %g, align 16\n{_RET}",
     f"%g = getelementptr inbounds i8, ptr %p, i64 16\n%v = load {_V}, ptr %g, align 16\n{_RET}", "flags of an address"),
    ("store invented", _LOAD + _RET, _LOAD + f"store {_V} %v, ptr %p, align 16\n" + _RET, "writes bytes"),
    ("odd elements", "%x = load <4 x i7>, ptr %p, align 16\n%v = zext <4 x i7> %x to <4 x i32>\n" + _RET,
     "%x = load <4 x i7>, ptr %p, align 32\n%v = zext <4 x i7> %x to <4 x i32>\n" + _RET, "no whole bytes"),
    ("loop", "br label %l\nl:\nbr i1 false, label %l, label %e\ne:\n" + f"ret {_V} %a", f"ret {_V} %a", "loop"),
    ("conditional load", _BRANCH + f"l:\n{_LOAD}{_RET}\ne:\nret {_V} %a", _LOAD + _RET, "not always executed"),
    ("vector of addresses", f"%g = getelementptr i8, ptr %p, <2 x i64> <i64 0, i64 4>\n{_LOAD}{_RET}", _LOAD + _OTHER, "a vector of addresses"),
    ("open index", f"%x = extractelement {_V} %a, i32 0\n%g = getelementptr i8, ptr %p, i32 %x\n{_LOAD}{_RET}", _LOAD + _OTHER, "an index that is no constant"),
    ("address of an address", f"%g = load ptr, ptr %p\n{_LOAD}{_RET}", _LOAD + _OTHER, "an access of type ptr"),
    ("float in memory", f"%g = load <2 x float>, ptr %p\n{_LOAD}{_RET}", _LOAD + _OTHER, "floating point"),
    ("float in a vector", f"%g = bitcast {_V} %a to <4 x float>\n{_LOAD}{_RET}", _LOAD + _OTHER, "floating point"),
    ("float constant", f"%g = fptosi float 1.0 to i32\n{_LOAD}{_RET}", _LOAD + _OTHER, "floating point"),
    ("end of memory", f"%g = getelementptr i8, ptr %p, i64 9223372036854775793\n%v = load {_V}, ptr %g, align 1\n{_RET}", f"ret {_V} %a", "the end of"),
    ("many blocks", "".join(f"br label %b{k}\nb{k}:\n" for k in range(200)) + _RET.replace("%v", "%a"), _RET.replace("%v", "%a"), "more than 200 blocks"),
    ("no branch", f"indirectbr ptr %p, [label %l]\nl:\n{_LOAD}{_RET}", _LOAD + _RET, "'indirectbr'"),
    ("masked load", f"%v = call {_V} @llvm.masked.load.v4i32.p0(ptr align 16 %p, <4 x i1> splat (i1 true), {_V} %a)\n{_RET}", f"ret {_V} %a", "memory: a masked access"),
    ("metadata", _LOAD + _RET, _LOAD.replace("align 16", "align 16, !invariant.load !0") + _RET, "metadata"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("what", "source", "target", "reason"), _REFUSED, ids=[r[0] for r in _REFUSED]
)
def test_refused_with_a_reason(what: str, source: str, target: str, reason: str) -> None:
    """Unknown, and why."""
    prefix = "" if what != "metadata" else "!0 = !{}\n"
    verdict = _pair(source, target, prefix=prefix)
    assert isinstance(verdict, Unknown) and reason in verdict.reason, verdict


def test_the_most_that_is_looked_at() -> None:
    """200 blocks, and an access that ends where the address space does."""
    many = "".join(f"br label %b{k}\nb{k}:\n" for k in range(199)) + f"ret {_V} %a"
    assert isinstance(_pair(many, f"ret {_V} %a"), Proved)
    last = (
        f"%g = getelementptr i8, ptr %p, i64 9223372036854775792\n%v = load {_V}, ptr %g, align 1\n"
    )
    assert isinstance(
        _pair(last + _RET, last + f"%w = or {_V} %v, zeroinitializer\nret {_V} %w"), Proved
    )


@pytest.mark.parametrize(
    ("head", "body", "kind"),
    [
        ("i8 %x, i1025 %y", "", "i1025"),
        ("i8 %x, <4097 x i8> %y", "", "<4097 x i8>"),
        ("i8 %x", "%y = zext i8 %x to i2048\n", "i2048"),
        ("i8 %x", "%y = extractelement <5000 x i8> zeroinitializer, i64 0\n", "<5000 x i8>"),
        ("i8 %x, i1024 %y, <4096 x i8> %z", "", ""),
    ],
)
def test_what_is_too_large(head: str, body: str, kind: str) -> None:
    """An argument that is not used, a result, an operand."""
    (function,) = _module(f"define i8 @f({head}) {{\n{body}ret i8 %x\n}}\n").functions
    assert too_large(function) == (f"a value of type {kind}" if kind else "")


def test_other_signature() -> None:
    """Functions of different types are not compared."""
    module = _module(
        f"define {_V} @src({_V} %a) {{\nret {_V} %a\n}}\ndefine i32 @tgt(i32 %a) {{\nret i32 %a\n}}\n"
    )
    assert verify_modules(module, None, None) == [
        ("src", Unknown("the functions have different types"))
    ]


def test_missing_target() -> None:
    """A source without a target is reported."""
    ((name, verdict),) = verify_modules(_module("define void @src1() {\nret void\n}\n"), None, None)
    assert name == "src1" and isinstance(verdict, Unknown)


def test_numbered_pairs() -> None:
    """One file may hold many pairs."""
    text = "".join(
        f"define i8 @{n}(i8 %a) {{\n%r = add i8 %a, {k}\nret i8 %r\n}}\n"
        for n, k in (("src1", 1), ("tgt1", 1), ("src2", 1), ("tgt2", 2))
    )
    assert [(n, type(v)) for n, v in verify_modules(_module(text), None, None)] == [
        ("src1", Proved),
        ("src2", Refuted),
    ]


_FLOAT = "define float @f(float %a, float %b) {{\n%s = fadd float %a, %b\n%r = fmul float %s, %{x}\nret float %r\n}}\n"


def test_floating_point_only_if_identical() -> None:
    """The same operations are proved, anything else unknown."""
    a, b = (_module(_FLOAT.format(x=x)) for x in "ab")
    renamed = _module(_FLOAT.format(x="a").replace("%s", "%other"))
    assert isinstance(verify_modules(a, renamed, None)[0][1], Proved)
    ((_, verdict),) = verify_modules(a, b, None)
    assert isinstance(verdict, Unknown) and verdict.reason.startswith("floating point; ")


@pytest.mark.parametrize(
    "kind",
    [
        "half",
        "bfloat",
        "float",
        "double",
        "fp128",
        "x86_fp80",
        "ppc_fp128",
        "<2 x float>",
        "<4 x bfloat>",
    ],
)
def test_types_of_floating_point(kind: str) -> None:
    """A value that passes through is the same; that another would do is not known."""
    text = "define {k} @src({k} %x, {k} %y) {{\nret {k} %x\n}}\ndefine {k} @tgt({k} %x, {k} %y) {{\n%unused = add i8 1, 1\nret {k} %{r}\n}}\n"
    verdicts = [verify_modules(_module(text.format(k=kind, r=r)), None, None)[0][1] for r in "xy"]
    assert isinstance(verdicts[0], Proved)
    assert isinstance(verdicts[1], Unknown) and verdicts[1].reason.startswith("floating point; ")


def test_blocks_come_behind_all_that_lead_to_them() -> None:
    """Each once; what nothing leads to is left out."""
    text = "a:\nbr i1 %c, label %b, label %d\ne:\nret void\nb:\nbr i1 %c, label %e, label %d\nd:\nbr label %e\nnever:\nbr label %d\n"
    (function,) = _module(f"define void @f(i1 %c) {{\n{text}}}\n").functions
    ends = frozenset({"ret", "br"})
    assert [block.label for block in put_in_order(function, ends)] == ["a", "b", "d", "e"]
    first, *others = function.blocks
    open_end = replace(first, instrs=(*first.instrs[:-1], replace(first.instrs[-1], known=False)))
    with pytest.raises(Cannot, match="'br'"):
        put_in_order(replace(function, blocks=(open_end, *others)), ends)


def test_too_many_looks_at_what_may_be_undef(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refine_choice, "CHOICE_LIMIT", 8)
    monkeypatch.setattr(entry, "compare_by_cuts", lambda sides: Unknown("not asked"))
    text = "".join(
        f"define i32 @{n}(i32 %x) {{\n%a = xor i32 %x, {y}\n%b = add i32 %a, %a\nret i32 %b\n}}\n"
        for n, y in (("src", "%x"), ("tgt", "%x\n%unused = or i8 1, 1"))
    )
    assert isinstance(verify_modules(_module(text), None, None)[0][1], Proved)
    many = text.replace(
        "ret i32 %b", "\n".join(f"%c{k} = xor i32 %x, %x" for k in range(8)) + "\nret i32 %b"
    )
    assert verify_modules(_module(many), None, None) == [
        ("src", Unknown("too many uses of values that may be undef; not asked"))
    ]


def test_names_of_other_modules_are_not_trusted() -> None:
    """The same text that mentions globals is an identity only if both modules say the same of
    them.
    """
    text = (
        "@g = global i32 {v}\ndefine i32 @f() {{\n%v = load i32, ptr @g, align 4\nret i32 %v\n}}\n"
    )
    one, two, same = (_module(text.format(v=v)) for v in (1, 2, 1))
    assert isinstance(verify_modules(one, one, None)[0][1], Proved)
    assert isinstance(verify_modules(one, same, None)[0][1], Proved)
    assert isinstance(verify_modules(one, two, None)[0][1], Unknown)


def test_big_endian() -> None:
    """Lanes of a bitcast are numbered the other way: left alone, but for the same text."""
    text = 'target datalayout = "E-m:e"\ndefine i16 @src(<2 x i8> %a) {\n%r = bitcast <2 x i8> %a to i16\nret i16 %r\n}\n'
    other = text.partition("\n")[2].replace("src", "tgt")
    ((_, same),) = verify_modules(_module(text + other), None, None)
    assert isinstance(same, Proved)
    ((_, verdict),) = verify_modules(
        _module(text + other.replace("ret i16 %r", "%s = or i16 %r, 0\nret i16 %s")), None, None
    )
    assert isinstance(verdict, Unknown) and "big-endian" in verdict.reason


@pytest.mark.parametrize("triple", ["nobody-knows-this", ""])
def test_a_triple_without_a_known_layout(triple: str) -> None:
    """The same text is the same; anything else waits for a layout, but where no triple is named."""
    head = f'target triple = "{triple}"\n' if triple else ""
    module = _module(
        head
        + "".join(
            f"define i8 @{n}(i8 %x) {{\n{b}}}\n"
            for n, b in (("src", "ret i8 %x\n"), ("tgt", "%r = or i8 %x, 0\nret i8 %r\n"))
        )
    )
    ((_, verdict),) = verify_modules(module, None, None)
    assert isinstance(verdict, Unknown if triple else Proved)
    assert (
        not isinstance(verdict, Unknown) or verdict.reason == f"memory: the data layout of {triple}"
    )
    ((_, same),) = verify_modules(
        _module(head + "define i8 @f(i8 %x) {\nret i8 %x\n}\n"),
        _module(head + "define i8 @f(i8 %y) {\nret i8 %y\n}\n"),
        None,
    )
    assert isinstance(same, Proved)


def test_counterexamples_in_words() -> None:
    """Arguments by name, poison and undef by name, results of both sides."""
    text = f"""
define {_V} @src({_V} %x, {_V} noundef %y) {{
  %r = add {_V} %x, %y
  ret {_V} %r
}}
define {_V} @tgt({_V} %x, {_V} noundef %y) {{
  %r = or disjoint {_V} %x, %y
  ret {_V} %r
}}
"""
    (answer,) = verify_report(_module(text), None, None)
    assert answer.line.startswith("@src: refuted at lane 0: %x = ")
    assert (
        "%y = " in answer.line and "source = " in answer.line and "target = <poison" in answer.line
    )


def test_undef_in_words() -> None:
    """A counterexample that needs undef says so."""
    text = "define i32 @src(i32 %x) {\n%r = shl i32 %x, 1\nret i32 %r\n}\ndefine i32 @tgt(i32 %x) {\n%r = add i32 %x, %x\nret i32 %r\n}\n"
    (answer,) = verify_report(_module(text), None, None)
    assert "undef" in answer.line


def test_range_of_a_counterexample() -> None:
    """Arguments of a counterexample obey the source's attributes, also those that do not matter."""
    text = "define i8 @NAME(i8 noundef %x, i8 noundef range(i8 5, 7) %y) {\n%r = add i8 %x, K\nret i8 %r\n}\n"
    (answer,) = verify_report(
        _module(
            text.replace("NAME", "src").replace("K", "1")
            + text.replace("NAME", "tgt").replace("K", "2")
        ),
        None,
        None,
    )
    assert "%y = 5" in answer.line or "%y = 6" in answer.line


_WORDS = [
    ("void @NAME(ptr %p)", "store i8 1, ptr %p\nret void", "store i8 2, ptr %p\nret void",
     "@NAME: refuted at byte 0 of argument 0: source = 1, target = 2"),
    ("void @NAME(ptr %p)", "store <2 x i8> <i8 1, i8 1>, ptr %p\nret void", "store <2 x i8> <i8 1, i8 2>, ptr %p\nret void",
     "@NAME: refuted at byte 1 of argument 0: source = 1, target = 2"),
    ("i8 @NAME(i8 noundef %x)", "ret i8 3", "unreachable",
     "@NAME: refuted at undefined behaviour of the target: %x = 0, source = 3, target = undefined behaviour"),
    ("i8 @NAME(i8 %x)", "ret i8 3", "%r = or i8 %x, 3\n%s = and i8 %r, 3\nret i8 %s", "@NAME: refuted at lane 0: %x = poison, source = 3, target = poison"),
    ("<2 x i8> @NAME(<2 x i8> noundef %x)", "ret <2 x i8> <i8 -1, i8 1>", "ret <2 x i8> <i8 -1, i8 2>",
     "@NAME: refuted at lane 1: %x = splat (0), source = <-1, 1>, target = <-1, 2>"),
    ("i1 @NAME(i1 noundef %x)", "ret i1 true", "ret i1 false", "@NAME: refuted at lane 0: %x = 0, source = 1, target = 0"),
    ("i8 @NAME(ptr %p, i8 noundef %x)", "%a = load i8, ptr %p\n%b = or i8 %a, 1\n%c = and i8 %b, 1\n%d = add i8 %c, 9\nret i8 %d",
     "%a = load i8, ptr %p\n%b = icmp eq i8 %a, 7\n%c = select i1 %b, i8 11, i8 10\nret i8 %c",
     "@NAME: refuted at lane 0: %x = 0, 8 bits at byte 0 of %p = 7, source = 10, target = 11"),
]  # fmt: skip


@pytest.mark.parametrize(("head", "source", "target", "line"), _WORDS)
def test_a_refutation_in_words(head: str, source: str, target: str, line: str) -> None:
    """Undefined behaviour, void, poison, equal lanes at once, one bit without a sign, bytes of
    memory.
    """
    text = "".join(
        f"define {head.replace('NAME', n)} {{\n{body}\n}}\n"
        for n, body in (("src", source), ("tgt", target))
    )
    (answer,) = verify_report(_module(text), None, None)
    assert answer.line == line.replace("NAME", "src")


def test_what_was_asked_is_counted_in_words() -> None:
    """One query and more of them, and who answered."""
    text = "define i8 @NAME(i8 noundef %x, i8 noundef %y) {\nBODY}\n"
    average = "%a = and i8 %x, %y\n%b = xor i8 %x, %y\n%c = lshr i8 %b, 1\n%r = add i8 %a, %c\nret i8 %r\n"
    wide = "%a = zext i8 %x to i16\n%b = zext i8 %y to i16\n%c = add i16 %a, %b\n%d = lshr i16 %c, 1\n%r = trunc i16 %d to i8\nret i8 %r\n"
    pair = [
        text.replace("NAME", n).replace("BODY", body)
        for n, body in (("src", average), ("tgt", wide))
    ]
    (answer,) = verify_report(_module("".join(pair)), None, None)
    assert answer.line.startswith("@src: proved (2 distinct queries; ")
    (same,) = verify_report(_module(pair[0] + pair[0].replace("@src", "@tgt")), None, None)
    assert same.line == "@src: proved (1 distinct query; identity)"
