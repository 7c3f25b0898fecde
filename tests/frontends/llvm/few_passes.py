"""Loops of a few passes, at random, and how they are called where they are executed."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tests.fuzz.case import Call, Pointer


def calls() -> Iterator[Call]:
    """Calls with memory that overlaps and that does not."""
    data = bytes(37 * k % 251 for k in range(512))
    for n in (0, 1, 5):
        for b in (0, 1, 4, 12, 31, 32, 64, 128):
            for order in ((128, 128 + b), (128 + b, 128)):
                yield Call((data,), (*(Pointer(0, x) for x in order), n), high=False)


def random_loop(seed: int) -> str:
    """A loop of a few passes with branches that these decide, and such as they do not."""
    rng = random.Random(seed)
    passes = rng.randrange(2, 5)
    flag = passes == 2 and rng.random() < 0.6
    heads = ["%k = phi i32 [ 0, %entry ], [ %kn, %latch ]"] if not flag else [
        "%first = phi i1 [ true, %entry ], [ false, %latch ]",
        "%k = phi i32 [ 0, %entry ], [ 3, %latch ]",
    ]  # fmt: skip
    heads += ["%c = phi i32 [ 9, %entry ], [ %cn, %latch ]"]
    heads += ["%d = phi i32 [ 4, %entry ], [ %c, %latch ]"] if rng.random() < 0.5 else []
    known, lines, label = ["%k", "%c", "3"], list[str](), "loop"
    known += ["%d"] if len(heads) > 2 + flag else []
    for n in range(rng.randrange(1, 4)):
        lines += [
            f"%p{n} = getelementptr i32, ptr %{rng.choice('ab')}, i32 {rng.choice(('%k', n))}"
        ]
        lines += [f"%x{n} = load i32, ptr %p{n}, align 1"]
        test = "%first" if flag else f"%t{n}"
        decided = rng.random() < 0.7
        if not decided:
            lines += [f"%t{n} = trunc i32 %x{n} to i1"]
            test = f"%t{n}"
        elif not flag:
            how = rng.choice(("eq", "ne", "ult", "ule", "sgt", "sge"))
            lines += [f"%t{n} = icmp {how} i32 %k, {rng.randrange(passes)}"]
        arms = [f"yes{n}", f"no{n}"]
        lines += [f"br i1 {test}, label %{arms[0]}, label %{arms[1]}"]
        for arm in arms:
            op, other = rng.choice(("add", "sub", "mul", "xor")), rng.choice(known)
            lines += [f"{arm}:", f"%{arm}.v = {op} i32 %x{n}, {other}"]
            if rng.random() < 0.5:
                lines += [f"store i32 %{arm}.v, ptr %p{n}, align 1"]
            lines += [f"br label %join{n}"]
        lines += [f"join{n}:"]
        lines += [f"%v{n} = phi i32 [ %yes{n}.v, %yes{n} ], [ %no{n}.v, %no{n} ]"]
        known, label = [*known, f"%x{n}", f"%v{n}"], f"join{n}"
        if rng.random() < 0.4:
            lines += [
                f"br label %in{n}",
                f"in{n}:",
                f"%i{n} = phi i32 [ 0, %{label} ], [ %j{n}, %in{n} ]",
            ]
            lines += [
                f"%q{n} = getelementptr i32, ptr %b, i32 %i{n}",
                f"store i32 %v{n}, ptr %q{n}, align 1",
            ]
            lines += [
                f"%j{n} = add i32 %i{n}, 1",
                f"%e{n} = icmp eq i32 %j{n}, {rng.randrange(1, 5)}",
            ]
            lines += [f"br i1 %e{n}, label %on{n}, label %in{n}", f"on{n}:"]
    behind = rng.choice(("", "%cn", "%v0", "%k"))
    last = [f"store i32 {behind}, ptr %b, align 1"] if behind else []
    ends = ["br i1 %first, label %loop, label %out"] if flag else [
        "%kn = add nuw i32 %k, 1", f"%end = icmp eq i32 %kn, {passes}",
        "br i1 %end, label %out, label %loop",
    ]  # fmt: skip
    body = [*heads, *lines, "br label %latch", "latch:", f"%cn = add i32 %c, {known[-1]}", *ends]
    text = ["entry:", "br label %loop", "loop:", *body, "out:", *last, "ret void"]
    inner = "\n".join(x if x.endswith(":") else f"  {x}" for x in text)
    return f"define void @f(ptr noundef %a, ptr noundef %b, i64 noundef %n) {{\n{inner}\n}}\n"
