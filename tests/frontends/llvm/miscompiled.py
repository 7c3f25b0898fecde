"""A function that LLVM compiles wrongly for HVX, and one that it does not."""

from __future__ import annotations


def rounded_and_plain() -> tuple[str, str]:
    """Return a rounded product that wraps at one corner, where LLVM saturates, and a product."""
    kind, wide = "<64 x i16>", "<64 x i32>"
    lines = (
        f"%a = sext {kind} %x to {wide}\n%b = sext {kind} %y to {wide}\n%p = mul {wide} %a, %b\n"
        f"%s = add {wide} %p, splat (i32 16384)\n%h = ashr {wide} %s, splat (i32 15)\n"
        f"%r = trunc {wide} %h to {kind}\nret {kind} %r\n"
    )
    plain = f"%r = mul {kind} %x, %y\nret {kind} %r\n"
    rounded, product = (
        f"define {kind} @f({kind} %x, {kind} %y) {{\n{x}}}\n" for x in (lines, plain)
    )
    return rounded, product
