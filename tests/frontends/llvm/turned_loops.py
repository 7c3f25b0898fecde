"""Loops over bytes, and the same with their passes in another order.

A statement says what a pass does: ``b-1=a+2`` stores at ``b[k - 1]`` what it makes of ``a[k + 2]``,
where ``k`` is the number of the pass, or of all passes before it in a nest of 8 by 16.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tests.fuzz.case import Call, Pointer

ROWS, COLUMNS = 8, 16
NAMES = "abcd"
HEAD = """define void @f(ptr noundef %a, ptr noalias noundef %b, ptr noalias noundef %c, ptr noundef %d) {
entry:
"""


def statement(text: str, name: str, index: str) -> Iterator[str]:
    """Yield the lines of a statement, whose values have a name of their own."""
    at = {"to": text.partition("=")[0], "of": text.partition("=")[2]}
    for word, (pointer, by) in {k: (x[0], int(x[1:] or 0)) for k, x in at.items()}.items():
        yield f"%{word}.{name} = getelementptr i8, ptr %{pointer}, i64 {index}"
        yield f"%{word}2.{name} = getelementptr i8, ptr %{word}.{name}, i64 {by}"
    yield f"%x.{name} = load i8, ptr %of2.{name}, align 1"
    yield f"%y.{name} = mul i8 %x.{name}, 3"
    yield f"%z.{name} = add i8 %y.{name}, {len(name)}"
    yield f"store i8 %z.{name}, ptr %to2.{name}, align 1"


def _loop(label: str, before: str, out: str, counter: str, stop: int, body: Sequence[str]) -> str:
    lines = "".join(f"  {x}\n" for x in body)
    return f"""{label}:
  %{counter} = phi i64 [ 0, %{before} ], [ %{counter}n, %{label} ]
{lines}  %{counter}n = add nuw nsw i64 %{counter}, 1
  %{counter}e = icmp eq i64 %{counter}n, {stop}
  br i1 %{counter}e, label %{out}, label %{label}
"""


def behind(first: str, second: str, *, stop: int = COLUMNS, code: str = "") -> str:
    """Return two loops, one behind the other, with code between them."""
    one, two = list(statement(first, "s", "%i")), list(statement(second, "tt", "%j"))
    loops = _loop("one", "entry", "between", "i", COLUMNS, one)
    loops += f"between:\n{code}  br label %two\n" + _loop("two", "between", "out", "j", stop, two)
    return f"{HEAD}  br label %one\n{loops}out:\n  ret void\n}}\n"


def fused(first: str, second: str, *, code: str = "") -> str:
    """Return one loop that does a pass of each."""
    body = [*statement(first, "s", "%i"), *statement(second, "tt", "%i")]
    loop = _loop("one", "entry", "out", "i", COLUMNS, body)
    return f"{HEAD}{code}  br label %one\n{loop}out:\n  ret void\n}}\n"


def nest(text: str, times: int = 1) -> str:
    """Return a nest, of which so many passes of the outer loop are done at once."""
    rows, body = list[str](), list[str]()
    for k in range(times):
        rows += [f"%r{k} = add i64 %r, {k}", f"%row{k} = mul i64 %r{k}, {COLUMNS}"]
        body += [f"%k{k} = add i64 %row{k}, %i", *statement(text, "s" * (k + 1), f"%k{k}")]
    body = [re.sub(r"(%z\.s+ = add .*), \d+", r"\1, 1", x) for x in body]
    loop = _loop("inner", "rows", "next", "i", COLUMNS, body)
    lines = "".join(f"  {x}\n" for x in rows)
    return f"""{HEAD}  br label %rows
rows:
  %r = phi i64 [ 0, %entry ], [ %rn, %next ]
{lines}  br label %inner
{loop}next:
  %rn = add nuw nsw i64 %r, {times}
  %re = icmp eq i64 %rn, {ROWS}
  br i1 %re, label %out, label %rows
out:
  ret void
}}
"""


def swapped(text: str) -> str:
    """Return a nest whose inner loop is around the outer one."""
    body = [
        f"%row0 = mul i64 %r, {COLUMNS}",
        "%k0 = add i64 %row0, %i",
        *statement(text, "s", "%k0"),
    ]
    return f"""{HEAD}  br label %columns
columns:
  %i = phi i64 [ 0, %entry ], [ %in, %next ]
  br label %rows
{_loop("rows", "columns", "next", "r", ROWS, body)}next:
  %in = add nuw nsw i64 %i, 1
  %ie = icmp eq i64 %in, {COLUMNS}
  br i1 %ie, label %out, label %columns
out:
  ret void
}}
"""


def calls() -> Iterator[Call]:
    """Calls in whose memory all that is named lies apart, or ``d`` is what ``a`` is."""
    for seed in (3, 11, 29):
        data = tuple(bytes((seed * k * k + 7 * n) % 251 for k in range(320)) for n in range(4))
        for last in (3, 0):
            yield Call(data, (*(Pointer(n, 80) for n in range(3)), Pointer(last, 81)), high=False)
