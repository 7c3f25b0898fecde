"""What the verifier of functions refuses to judge, says in words, and compares between modules."""

from __future__ import annotations

import pytest

from frontends.llvm.ast import Module
from frontends.llvm.binding import normalise
from frontends.llvm.parse import parse_module
from frontends.llvm.refine import verify_modules
from frontends.llvm.refine_report import verify_report
from isel.verify.verdict import Proved, Refuted, Unknown, Verdict

_V = "<4 x i32>"


def _module(text: str) -> Module:
    return parse_module(normalise(text))


def _pair(source: str, target: str, head: str = f"{_V} @NAME(ptr %p, ptr %q, {_V} %a)", prefix: str = "") -> Verdict:
    """Return the verdict on two bodies."""
    texts = [f"define {head.replace('NAME', n)} {{\n{body}\n}}\n" for n, body in (("src", source), ("tgt", target))]
    ((_, verdict),) = verify_modules(_module(prefix + "".join(texts)), None, None)
    return verdict


_LOAD = f"%v = load {_V}, ptr %p, align 16\n"
_RET = f"ret {_V} %v"
_ALIAS = f"store {_V} zeroinitializer, ptr %q, align 16\n"
_BRANCH = f"%x = extractelement {_V} %a, i32 0\n%c = icmp eq i32 %x, 0\nbr i1 %c, label %l, label %e\n"

_REFUSED = [
    ("wider load", f"%x = load i32, ptr %p, align 16\n%v = insertelement {_V} poison, i32 %x, i32 0\n{_RET}", _LOAD + _RET, "bytes that the source does not"),
    ("alignment raised", f"%v = load {_V}, ptr %p, align 4\n{_RET}", _LOAD + _RET, "alignment"),
    ("load across a store that may alias", _LOAD + _ALIAS + _RET, _ALIAS + _LOAD + _RET, "alias"),
    ("volatile", f"%v = load volatile {_V}, ptr %p, align 16\n{_RET}", _LOAD + _RET, "volatile"),
    ("new inbounds", f"%g = getelementptr i8, ptr %p, i64 16\n%v = load {_V}, ptr %g, align 16\n{_RET}",
     f"%g = getelementptr inbounds i8, ptr %p, i64 16\n%v = load {_V}, ptr %g, align 16\n{_RET}", "flags of an address"),
    ("store invented", _LOAD + _RET, _LOAD + f"store {_V} %v, ptr %p, align 16\n" + _RET, "writes bytes"),
    ("odd elements", "%x = load <4 x i7>, ptr %p, align 16\n%v = zext <4 x i7> %x to <4 x i32>\n" + _RET,
     "%x = load <4 x i7>, ptr %p, align 8\n%v = zext <4 x i7> %x to <4 x i32>\n" + _RET, "no whole bytes"),
    ("loop", "br label %l\nl:\nbr i1 false, label %l, label %e\ne:\n" + f"ret {_V} %a", f"ret {_V} %a", "loop"),
    ("conditional load", _BRANCH + f"l:\n{_LOAD}{_RET}\ne:\nret {_V} %a", _LOAD + _RET, "not always executed"),
    ("metadata", _LOAD + _RET, _LOAD.replace("align 16", "align 16, !invariant.load !0") + _RET, "metadata"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "source", "target", "reason"), _REFUSED, ids=[r[0] for r in _REFUSED])
def test_refused_with_a_reason(what: str, source: str, target: str, reason: str) -> None:
    """Unknown, and why."""
    prefix = "" if what != "metadata" else "!0 = !{}\n"
    verdict = _pair(source, target, prefix=prefix)
    assert isinstance(verdict, Unknown) and reason in verdict.reason, verdict


def test_other_signature() -> None:
    """Functions of different types are not compared."""
    module = _module(f"define {_V} @src({_V} %a) {{\nret {_V} %a\n}}\ndefine i32 @tgt(i32 %a) {{\nret i32 %a\n}}\n")
    assert verify_modules(module, None, None) == [("src", Unknown("the functions have different types"))]


def test_missing_target() -> None:
    """A source without a target is reported."""
    ((name, verdict),) = verify_modules(_module("define void @src1() {\nret void\n}\n"), None, None)
    assert name == "src1" and isinstance(verdict, Unknown)


def test_numbered_pairs() -> None:
    """One file may hold many pairs."""
    text = "".join(f"define i8 @{n}(i8 %a) {{\n%r = add i8 %a, {k}\nret i8 %r\n}}\n" for n, k in (("src1", 1), ("tgt1", 1), ("src2", 1), ("tgt2", 2)))
    assert [(n, type(v)) for n, v in verify_modules(_module(text), None, None)] == [("src1", Proved), ("src2", Refuted)]


_FLOAT = "define float @f(float %a, float %b) {{\n%s = fadd float %a, %b\n%r = fmul float %s, %{x}\nret float %r\n}}\n"


def test_floating_point_only_if_identical() -> None:
    """The same text is proved, anything else unknown."""
    a, b = (_module(_FLOAT.format(x=x)) for x in "ab")
    renamed = _module(_FLOAT.format(x="a").replace("%s", "%other"))
    assert isinstance(verify_modules(a, renamed, None)[0][1], Proved)
    assert verify_modules(a, b, None) == [("f", Unknown("floating point"))]


def test_names_of_other_modules_are_not_trusted() -> None:
    """The same text that mentions globals is an identity only if both modules say the same of them."""
    text = "@g = global i32 {v}\ndefine i32 @f() {{\n%v = load i32, ptr @g, align 4\nret i32 %v\n}}\n"
    one, two = (_module(text.format(v=v)) for v in (1, 2))
    assert isinstance(verify_modules(one, one, None)[0][1], Proved)
    assert isinstance(verify_modules(one, two, None)[0][1], Unknown)


def test_big_endian() -> None:
    """Lanes of a bitcast are numbered the other way: left alone, but for the same text."""
    text = 'target datalayout = "E-m:e"\ndefine i16 @src(<2 x i8> %a) {\n%r = bitcast <2 x i8> %a to i16\nret i16 %r\n}\n'
    other = text.partition("\n")[2].replace("src", "tgt")
    ((_, same),) = verify_modules(_module(text + other), None, None)
    assert isinstance(same, Proved)
    ((_, verdict),) = verify_modules(_module(text + other.replace("ret i16 %r", "%s = or i16 %r, 0\nret i16 %s")), None, None)
    assert isinstance(verdict, Unknown) and "big-endian" in verdict.reason


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
    assert "%y = " in answer.line and "source = " in answer.line and "target = <poison" in answer.line


def test_undef_in_words() -> None:
    """A counterexample that needs undef says so."""
    text = "define i32 @src(i32 %x) {\n%r = shl i32 %x, 1\nret i32 %r\n}\ndefine i32 @tgt(i32 %x) {\n%r = add i32 %x, %x\nret i32 %r\n}\n"
    (answer,) = verify_report(_module(text), None, None)
    assert "undef" in answer.line


def test_range_of_a_counterexample() -> None:
    """Arguments of a counterexample obey the source's attributes, also those that do not matter."""
    text = "define i8 @NAME(i8 noundef %x, i8 noundef range(i8 5, 7) %y) {\n%r = add i8 %x, K\nret i8 %r\n}\n"
    (answer,) = verify_report(_module(text.replace("NAME", "src").replace("K", "1") + text.replace("NAME", "tgt").replace("K", "2")), None, None)
    assert "%y = 5" in answer.line or "%y = 6" in answer.line
