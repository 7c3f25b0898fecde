"""A function by itself keeps its code, and the others become declarations that LLVM accepts."""

from __future__ import annotations

from frontends.llvm.linked.binding import normalise
from frontends.llvm.text.isolate import isolated
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
        alone = parse_module(normalise(isolated(MODULE, name)))
        assert [f.name for f in alone.functions] == [name]
        header = alone.lines[alone.functions[0].first]
        assert "internal" not in header
        assert "linkonce" not in header


def test_its_code_stays() -> None:
    whole, alone = parse_module(MODULE), parse_module(normalise(isolated(MODULE, "caller")))
    f, g = (next(x for x in m.functions if x.name == "caller") for m in (whole, alone))
    assert whole.lines[f.first + 1 : f.last] == alone.lines[g.first + 1 : g.last]
    assert f.attributes == g.attributes
