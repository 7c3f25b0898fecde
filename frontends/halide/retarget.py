"""A generic module made one of a target: triple, data layout and function attributes; all of it
on the text.
"""

from __future__ import annotations

import re
from typing import Final

from frontends.halide.targets import HalideTarget
from frontends.llvm.linked import binding

_FOREIGN: Final = re.compile(
    r' "(?:target-cpu|target-features|tune-cpu|prefer-vector-width|min-legal-vector-width)"'
    r'(?:="[^"]*")?'
)
_GROUP: Final = re.compile(r"^(attributes #\d+ = \{)(.*)\}$", re.MULTILINE)
_DEFINED: Final = re.compile(r"^(define [^\n]*\))([^\n()]*)\{$", re.MULTILINE)
_GROUPS: Final = re.compile(r"#(\d+)")
_EMPTY: Final = re.compile(r"^attributes #(\d+) = \{ *\}\n", re.MULTILINE)
_METADATA: Final = re.compile(r'\[\d+ x i8\] c"([a-z0-9_-]+)\\00"')


def retarget(text: str, target: HalideTarget, name: str) -> str:
    """Return a module, as printed by any LLVM up to ours, as one of ``target``; ``name``
    becomes its source name.
    """
    layout = binding.data_layout(target.triple)
    for key, value in (("triple", target.triple), ("datalayout", layout)):
        wanted = f'target {key} = "{value}"'
        text = re.sub(rf'^target {key} = ".*"$', wanted, text, count=1, flags=re.MULTILINE)
    machine = "-".join(target.generic.split("-")[:3]) + "-"  # architecture, bits and system
    own = f'[{len(target.own) + 1} x i8] c"{target.own}\\00"'
    text = _METADATA.sub(lambda m: own if m[1].startswith(machine) else m[0], text)
    defined = {n for m in _DEFINED.finditer(text) for n in _GROUPS.findall(m[2])}
    said = sorted(target.attributes().items())
    words = "".join(f' "{k}"="{v}"' if v else f' "{k}"' for k, v in said)

    def attributed(m: re.Match[str]) -> str:
        number = m[1].split("#")[1].split(" ")[0]
        kept = _FOREIGN.sub("", m[2]).rstrip()
        return f"{m[1]}{kept}{words if number in defined else ''} }}"

    text = _without_empty_groups(_GROUP.sub(attributed, text))
    text = _DEFINED.sub(
        lambda m: m[0] if _GROUPS.search(m[2]) else f"{m[1]}{m[2].rstrip()}{words} {{", text
    )
    return binding.normalise(text, name)


def _without_empty_groups(text: str) -> str:
    """Drop groups in which nothing is left, which LLVM does not read, and what refers to them."""
    empty = _EMPTY.findall(text)
    if not empty:
        return text
    used = re.compile(
        rf"^((?:declare |define |.*\b(?:call|invoke) ).*\)[^\"\n]*?) #(?:{'|'.join(empty)})(?= "
        r"|,|$)",
        re.MULTILINE,
    )
    return used.sub(r"\1", _EMPTY.sub("", text))
