"""A module with debug information that it did not have: a location and, of each value, a record."""

from __future__ import annotations

import re
from typing import Final

_FLAGS: Final = re.compile(r"^!llvm\.module\.flags = !\{(.*)\}$", re.MULTILINE)
_NODE: Final = re.compile(r"^!(\d+) = ", re.MULTILINE)
_RESULT: Final = re.compile(r"  %([-\w.$]+) = (\w+) ")
_ENDS: Final = ("ret", "br", "unreachable")
_WHOLE: Final = ("switch", "indirectbr", "invoke", "callbr", "landingpad")  # of several lines
_SHAPED: Final = re.compile(r"(add|sub|mul|and|or|xor|load|zext|shl) ")


def located(text: str) -> str:
    """Return a module with a line for each instruction, and a variable for some values."""
    if "!dbg" in text:
        return text
    free = max((int(n) for n in _NODE.findall(text)), default=-1) + 1
    unit, file, kind, empty = (f"!{free + k}" for k in range(4))
    nodes = [
        (
            f"{unit} = distinct !DICompileUnit(language: DW_LANG_C11, file: {file}, "
            "isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)"
        ),
        f'{file} = !DIFile(filename: "k.c", directory: "/")',
        f'{kind} = !DIBasicType(name: "v", size: 512, encoding: DW_ATE_unsigned)',
        f"{empty} = !DISubroutineType(types: !{{}})",
        f'!{free + 4} = !{{i32 2, !"Debug Info Version", i32 3}}',
    ]
    free += 5
    out: list[str] = []
    program = ""
    for number, line in enumerate(text.splitlines()):
        if line.startswith("define ") and line.endswith(" {"):
            program = f"!{free}"
            nodes.append(
                f'{program} = distinct !DISubprogram(name: "f{free}", file: {file}, line: 1, '
                f"type: {empty}, unit: {unit}, spFlags: DISPFlagDefinition)"
            )
            out.append(f"{line[:-2]} !dbg {program} {{")
            free += 1
        elif program and line == "}":
            program = ""
            out.append(line)
        elif program and line[:2] == "  " and line[2] not in " ]}#;" and not _is_whole(line):
            place = f"!{free}"
            nodes.append(f"{place} = !DILocation(line: {number}, column: 1, scope: {program})")
            out.append(f"{line}, !dbg {place}")
            free += 1
            found = _RESULT.match(line)
            if found and found[2] != "phi" and _SHAPED.match(line[found.end(1) + 3 :]):
                nodes.append(
                    f'!{free} = !DILocalVariable(name: "x{free}", scope: {program}, type: {kind})'
                )
                of = f"{_type(line)} %{found[1]}"
                out.append(f"    #dbg_value({of}, !{free}, !DIExpression(), {place})")
                free += 1
        else:
            out.append(line)
    whole = "\n".join(out) + "\n"
    added = nodes[4].partition(" = ")[0]
    if _FLAGS.search(whole):
        whole = _FLAGS.sub(lambda m: f"!llvm.module.flags = !{{{m[1]}, {added}}}", whole)
    else:
        whole += f"!llvm.module.flags = !{{{added}}}\n"
    return whole + f"!llvm.dbg.cu = !{{{unit}}}\n" + "\n".join(nodes) + "\n"


def _is_whole(line: str) -> bool:
    words = line.split()
    return next((w for w in words if w in _WHOLE), "") != ""


def _type(line: str) -> str:
    """Return the type of the result of an operation, cast or load, as it is written."""
    if " to " in line:
        return line.rsplit(" to ", 1)[1].split(",")[0].strip()
    rest = line.split(" = ", 1)[1]
    if " load " in f" {rest}":
        rest = rest.split("load ", 1)[1].removeprefix("volatile ").removeprefix("atomic ")
        return rest.split(", ptr")[0]
    found = re.search(r"(<[^<>]*>|i\d+|float|double) ", rest)
    return found[1] if found else "i64"
