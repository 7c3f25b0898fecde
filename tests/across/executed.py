"""``python -m tests.across.executed SOURCE.ll PORT.ll``: functions of a port executed against those of
the source's machine, on random memory and integers.

A line a function: ``equal``, ``differs`` with the call, or ``not executed`` with the reason.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from frontends.llvm.linked.binding import normalise
from frontends.llvm.text.ast import Function, IntType, Module, PtrType
from frontends.llvm.text.operands import VOID
from frontends.llvm.text.parse import parse_module
from isel.errors import UsageProblem
from tests.across.port import linked

CALLS: Final = 1000
_SECONDS: Final = 20
_MACHINES: Final = {"x86_64": "x86", "aarch64": "arm", "arm64": "arm"}
_OF_LIBC: Final = frozenset(("memcpy", "memset", "memmove", "__assert_fail", "abort"))
_DECLARED: Final = re.compile(r"declare (?:[^@]* )?(\S+) @([\w$.]+)\((.*)\)[^()]*")
_EXTERNAL: Final = re.compile(
    r"(@[\w$.]+) = external (?:[a-z_]+ )*(?:global|constant) (.*?)(, .*)?"
)
_GIVEN: Final = re.compile(r"(ptr|i\d+)(?: [a-z_]+(?:\([^()]*\))?| \d+)*")
_POINTERS: Final = re.compile(
    r"= load ptr, ptr (?!@|getelementptr [^%]*$)|store ptr ", re.MULTILINE
)
_FOREIGN: Final = {"x86": r"@llvm\.(?:aarch64|arm)\.", "arm": r"@llvm\.x86\."}
_NOTHING: Final = (
    "define void @across.nothing() {\n  ret void\n}\n"  # where tables of functions lead
)
_LOG: Final = "@across.log = global i64 0\n"
_MAIN: Final = """\
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
{declarations}
extern uint64_t log_of_calls __asm__("across.log");
static uint64_t seed;
static uint64_t next(void) {{ seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17; return seed; }}
static uint64_t some(int how) {{
  return how == 2 ? 2 + next() % 4 : how ? 16 + 16 * (next() % 4) : 1 + next() % 64;
}}
enum {{ WORDS = 4608, BEFORE = 128 }};  /* what lies before and behind is looked at, too */
_Alignas(128) static uint64_t buffers[10][WORDS];
static uint64_t given[10], given_even;
static void fill(int count, int even) {{
  for (int b = 0; b < count; b++)
    for (int k = 0; k < WORDS; k++) {{
      uint64_t x = next(); int how = x & 15; x = next();
      buffers[b][k] = how == 0 ? 0x8000800080008000ull : how == 1 ? 0x7fff7fff7fff7fffull
                    : how == 2 ? ~0ull : how == 3 ? 0 : x;
    }}
  even = even ? even : next() & 1;
  for (int k = 0; k < 10; k++) given[k] = some(even);
}}
static void tell(int count, uint64_t result) {{
  uint64_t hash = (1469598103934665603ull ^ result ^ log_of_calls) * 1099511628211ull;
  for (int b = 0; b < count; b++)
    for (int k = 0; k < WORDS; k++) hash = (hash ^ buffers[b][k]) * 1099511628211ull;
  printf("%016llx\\n", (unsigned long long)hash);
}}
int main(int argc, char **argv) {{
  int which = atoi(argv[1]), even = atoi(argv[2]);
  seed = 88172645463325252ull + which;
  for (int round = 0; round < {calls}; round++) switch (which) {{
{cases}
  }}
}}
"""


@dataclass(frozen=True, slots=True)
class Side:
    """A module that can be linked by itself, and what of it nothing stands for."""

    text: str
    module: Module
    lacking: tuple[str, ...]


def verdicts(source: str, port: str) -> Iterator[tuple[str, str]]:
    """Yield each function of the source, and what came of executing it and the port's."""
    sides = [_side(normalise(t)) for t in (source, port)]
    ported = {f.name: f for f in sides[1].module.functions}
    own, written = (
        {f.name: f for f in parse_module(normalise(t)).functions} for t in (source, port)
    )
    both = [f for f in sides[0].module.functions if f.name in own and f.name in written]
    why = {f.name: _reason((f, ported[f.name]), sides) for f in both}
    run = [f for f in both if not why[f.name]]
    with tempfile.TemporaryDirectory() as text:
        commands = _programs(Path(text), sides, run) if run else []
        for f in both:
            yield f.name, why[f.name] or _compared(commands, run.index(f))
    yield from ((name, "not executed (the port lacks it)") for name in own if name not in written)


def _side(text: str) -> Side:
    """Make what a module declares: functions note what they are given, pointers are of a function
    that does nothing, other variables are zero.
    """
    text, lacking = _without_foreign(text)
    lines = list[str]()
    for line in text.split("\n"):
        variable, declared = _EXTERNAL.fullmatch(line), _DECLARED.fullmatch(line)
        if variable is not None:
            value = _functions(variable[2])
            lacking += [] if value else [variable[1]]
            line = f"{variable[1]} = global {variable[2]} {value or 'zeroinitializer'}"
        elif declared is not None and not _is_known(declared[2]):
            line = _stub(*declared.groups())
            if not line:
                lacking.append(f"@{declared[2]}")
                line = f"define void @{declared[2]}() {{\n  unreachable\n}}"
        elif line.startswith("define "):
            line = re.sub(
                r"^define (?:internal|linkonce_odr|available_externally) ", "define ", line
            )
        lines.append(line)
    whole = normalise("\n".join([*lines, _LOG, _NOTHING]))
    return Side(whole, parse_module(whole), tuple(lacking))


def _functions(kind: str) -> str:
    """Return a value of pointers to a function that does nothing, empty for another type."""
    many = re.fullmatch(r"\[(\d+) x ptr\]", kind)
    if many is None:
        return "@across.nothing" * (kind == "ptr")
    return f"[{', '.join(['ptr @across.nothing'] * int(many[1]))}]"


def _without_foreign(text: str) -> tuple[str, list[str]]:
    """Leave out the bodies that call another machine's intrinsics; return their names, too."""
    module = parse_module(text)
    foreign = re.compile(_FOREIGN[_machine(module)])
    lines = list(module.lines)
    found = [f for f in module.functions if any(foreign.search(i.text) for i in f.view)]
    for f in found:
        lines[f.first + 1 : f.last] = ["  unreachable", *[""] * (f.last - f.first - 2)]
    return "\n".join(x for x in lines if not foreign.search(x)), [f"@{f.name}" for f in found]


def _machine(module: Module) -> str:
    machine = _MACHINES.get(module.triple.partition("-")[0], "")
    if not machine:
        raise UsageProblem(f"a module for '{module.triple}', expected x86-64 or AArch64")
    return machine


def _is_known(name: str) -> bool:
    return name.startswith(("llvm.", "autollvm.")) or name in _OF_LIBC


def _stub(result: str, name: str, given: str) -> str:
    """Return a function that notes its integers, empty for one of other arguments or results."""
    kinds = [_GIVEN.fullmatch(x.strip()) for x in given.split(",")] if given else []
    if result not in ("void", "i8", "i16", "i32", "i64") or None in kinds:
        return ""
    types = [k[1] for k in kinds if k is not None]
    heads = ", ".join(f"{t} %a{k}" for k, t in enumerate(types))
    lines = ["%l0 = load i64, ptr @across.log"]
    at = 0
    for k, t in enumerate(types):
        if t == "ptr":
            continue
        wide = f"%a{k}" if t == "i64" else f"%w{k}"
        lines += [] if t == "i64" else [f"%w{k} = zext {t} %a{k} to i64"]
        lines += [f"%m{at} = mul i64 %l{at}, 1099511628211", f"%l{at + 1} = xor i64 %m{at}, {wide}"]
        at += 1
    lines += [f"%n = add i64 %l{at}, 1", "store i64 %n, ptr @across.log"]
    lines.append("ret void" if result == "void" else f"ret {result} 7")
    return f"define {result} @{name}({heads}) {{\n  " + "\n  ".join(lines) + "\n}"


def _programs(folder: Path, sides: Sequence[Side], run: Sequence[Function]) -> list[list[str]]:
    """Return a command a side, which takes the number of a function."""
    main = folder / "main.c"
    main.write_text(driver(run))
    found: list[list[str]] = []
    for side in sides:
        machine = _machine(side.module)
        found.append(linked(folder, machine, side.text, main))
    return found


def _compared(commands: Sequence[Sequence[str]], number: int) -> str:
    """Return what came of a function on both machines: with any integers, and where the source
    does not take these, with multiples of sixteen or small ones.
    """
    reason = ""
    for which, said in enumerate(("", ", multiples of 16", ", numbers under 6")):
        mine, theirs = ends = [_end([*command, str(number), str(which)]) for command in commands]
        if mine[0]:
            reason = reason or f"not executed (the source's machine: {mine[0]})"
            continue
        if mine != theirs:
            rows = zip(*(lines for _, lines in ends), strict=False)
            first = next((k for k, (a, b) in enumerate(rows) if a != b), len(theirs[1]))
            return f"differs (call {first}; {theirs[0]})"
        return f"equal ({len(mine[1])} calls{said})"
    return reason


def _end(command: Sequence[str]) -> tuple[str, list[str]]:
    """Return how a program ended, empty for well, and what it printed."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        return f"no end in {_SECONDS} s", []
    return f"exit code {done.returncode}" if done.returncode else "", done.stdout.splitlines()


def driver(functions: Sequence[Function]) -> str:
    """Return a program that makes calls of one of some functions and prints what they did."""
    cases, declarations = list[str](), list[str]()
    for k, f in enumerate(functions):
        pointers, given, kinds = 0, list[str](), list[str]()
        for n, a in enumerate(f.arguments):
            if isinstance(a.type, PtrType):
                given.append(f"buffers[{pointers}] + BEFORE")
                kinds.append("void *")
                pointers += 1
            else:
                given.append(f"given[{n}]")
                kinds.append(_type(a.type.bits if isinstance(a.type, IntType) else 64))
        result = max(f.type.bits, 32) if isinstance(f.type, IntType) else 0
        kind = _type(result) if result else "void"
        call = f"f{k}({', '.join(given)})"
        if isinstance(f.type, IntType):  # above which a register may hold anything
            call = f"result = (uint64_t){call} << {64 - f.type.bits}"
        declarations.append(f'{kind} f{k}({", ".join(kinds)}) __asm__("{f.name}");')
        cases.append(
            f"  case {k}: {{ uint64_t result = 0; fill({pointers}, even); {call}; "
            f"tell({pointers}, result); break; }}"
        )
    return _MAIN.format(
        declarations="\n".join(declarations), cases="\n".join(cases), calls=CALLS
    )  # fmt: skip


def _type(bits: int) -> str:
    return f"uint{max(8, bits)}_t"


def _reason(both: tuple[Function, Function], sides: Sequence[Side]) -> str:
    """Return why a function is not executed, empty if it is."""
    f = both[0]
    if "fastcc" in f.returns or len(f.arguments) > 10:
        return "not executed (a calling convention of its own, or more than ten arguments)"
    kinds = [a.type for a in f.arguments if not isinstance(a.type, PtrType)]
    if any(not _is_integer(t) for t in (*kinds, *([] if f.type == VOID else [f.type]))):
        return "not executed (an argument or result that is no pointer and no integer)"
    for g, side in zip(both, sides, strict=True):
        said = f"@{g.name}\n{_mentioned(g, side.module)}"
        if _POINTERS.search(said):
            return "not executed (memory holds pointers)"
        lacks = (x for x in side.lacking if re.search(rf"{re.escape(x)}(?![\w$.])", said))
        if name := next(lacks, ""):
            return f"not executed (it uses {name}, which is of another file or machine)"
    return ""


def _is_integer(kind: object) -> bool:
    return isinstance(kind, IntType) and kind.bits in (8, 16, 32, 64)


def _mentioned(f: Function, module: Module) -> str:
    """Return the text of a function and of those that it calls."""
    own = {g.name: "\n".join(i.text for i in g.view) for g in module.functions}
    seen, waiting = set[str](), [f.name]
    while waiting:
        name = waiting.pop()
        if name in own and name not in seen:
            seen.add(name)
            waiting += re.findall(r"@([\w$.]+)", own[name])
    return "\n".join(own[name] for name in sorted(seen))


def main() -> int:
    """Execute both; returns 1 where one differs."""
    if len(sys.argv) != 3:
        raise UsageProblem("expected the source's module and the port's")
    differs = False
    for name, line in verdicts(*(Path(x).read_text() for x in sys.argv[1:])):
        sys.stdout.write(f"{name}: {line}\n")
        sys.stdout.flush()
        differs |= line.startswith("differs")
    return int(differs)


if __name__ == "__main__":
    sys.exit(main())
