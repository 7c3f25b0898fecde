"""What LLVM makes of each emission, compiled alone:
``python -m semantics.x86.selection > semantics/x86/forms.tsv``.

The forms price the instruction; one machine instruction of the expected name is what an emission
should become.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from frontends.llvm import binding
from frontends.llvm.worker import LlvmWorker, WorkerFailed
from isel.spec.instruction import Instruction
from isel.spec.target import Target
from semantics.harness import function_text
from semantics.samples import immediate_choices
from semantics.x86.asm import read_operation

TRIPLE: Final = "x86_64-unknown-linux-gnu"
_FUNCTION: Final = re.compile(r"^(f\d+):[^\n]*\n(.*?)^\.Lfunc_end", re.DOTALL | re.MULTILINE)
_GLUE: Final = re.compile(r"kmov[bwdq]|movz[bw]l|ret[lq]?|vzeroupper")
_RETURN: Final = re.compile(r"v?mov(?:dq[au](?:8|16|32|64)?|[au]p[sd])\s+%([xyz])mm\d+, %\1mm0")
# A mask of less than eight lanes goes to and from memory through a general register.
MASK_MOVES: Final = frozenset(
    f
    for s, r in (("b", "r8"), ("w", "r16"), ("l", "r32"), ("q", "r64"))
    for f in (f"mov{s} mem,{r}", f"mov{s} {r},mem")
)
_BITWISE: Final = re.compile(r"(p(?:and|or|xor|andn)|movdq[au])(?:[dq]|8|16|32|64)$")
_BATCH: Final = 48
_IMMEDIATES: Final = 6
_SMALL: Final[tuple[int, ...]] = (1, 2, 3, 4, 5, 7)
Text = Callable[[Instruction, Mapping[str, int], str], str]

# The same operation on the same registers under another name: floating-point domain, other element
# size, operands swapped, or the other operand overwritten.  Left: what is written; right: what LLVM
# may print.
_SAME: Final[tuple[tuple[str, str], ...]] = (
    (r"p(and|or|xor|andn)[dq]?", r"(?:p\1[dq]?|\1p[sd])"),
    (r"punpck([lh])dq", r"(?:punpck\1dq|unpck\1ps)"),
    (r"punpck([lh])qdq", r"(?:punpck\1qdq|unpck\1pd|movlhps|movhlps|movddup)"),
    (r"pblendd", r"(?:pblendd|blendps|blendpd|pblendw)"),
    (r"pblendw", r"(?:pblendw|pblendd|blendps|blendpd)"),
    (r"pblendm([bwdq])", r"(?:pblendm\1|movdq[au](?:8|16|32|64)|blendmp[sd])"),
    (r"pshufd", r"(?:pshufd|shufps|permilps|pshufb)"),
    (
        r"shufp[sd]",
        r"(?:shufp[sd]|pblendd|blendp[sd]|unpck[lh]pd|movlhps|palignr|pblendw|permilps)",
    ),
    (r"permq", r"(?:permq|permpd)"),
    (r"permd", r"(?:permd|permps)"),
    (r"permi2([bwdq])", r"perm[it]2\1"),
    (r"perm2i128", r"(?:perm2[if]128|blendps|insert[fi]128|pblendd|broadcast[fi]128|perm(?:q|pd))"),
    (
        r"shuf([if])(32x4|64x2)",
        r"(?:shuf[if](?:32x4|64x2)|pblendd|blendps|perm(?:q|pd)|insert[fi]128|perm2[fi]128)",
    ),
    (
        r"align[dq]",
        r"(?:align[dq]|palignr|perm2[fi]128|perm(?:q|pd)|shuf[if]64x2|shuf[if]32x4|shufpd)",
    ),
    (r"pbroadcastd", r"(?:pbroadcastd|broadcastss)"),
    (r"pbroadcastq", r"(?:pbroadcastq|broadcastsd|movddup)"),
    (r"(extract|insert)[if]([0-9]+x?[0-9]*)", r"(?:\1[if][0-9]+x?[0-9]*|blendp[sd]|pblendd)"),
    (r"pror([dq])", r"pro[lr]\1"),
    (r"pshrd([wdq])", r"psh[lr]d\1"),
    (r"pmovs(wb)", r"(?:pmovswb|packsswb)"),
    (r"pmovs(dw)", r"(?:pmovsdw|packssdw)"),
    (r"pmovqd", r"(?:pmovqd|shufps|pshufd)"),
    (r"p(s[lr]l)dq", r"(?:p\1dq|p\1q|pshufb)"),
    (r"pcmp(u?)([bwdq])", r"pcmp(?:eq|neq|(?:gt|lt|le|nlt|nle)\1)\2"),
)


@dataclass(frozen=True, slots=True)
class Selected:
    """What one instruction with fixed immediates becomes: forms and mnemonics without the glue
    of the calling convention.
    """

    name: str
    immediates: Mapping[str, int]
    forms: tuple[str, ...]
    mnemonics: tuple[str, ...]
    failure: str = ""

    def is_one(self, mnemonic: str) -> bool:
        """Tell whether that is one machine instruction which is ``mnemonic`` by this or an
        equivalent name.
        """
        return len(self.mnemonics) == 1 and equivalent(mnemonic, self.mnemonics[0])


def equivalent(expected: str, printed: str) -> bool:
    """Tell whether a printed mnemonic names the expected operation; legacy names lack the ``v``."""
    wanted, got = expected.removeprefix("v"), printed.removeprefix("v")
    if wanted == got:
        return True
    return any(
        re.fullmatch(m.expand(names), got)
        for pattern, names in _SAME
        if (m := re.fullmatch(pattern, wanted))
    )


def plain_name(mnemonic: str) -> str:
    """Return what a mnemonic is called in all encodings: without the ``v``, and without the
    element size of AVX-512's bitwise operations.
    """
    name = mnemonic.lower().removeprefix("v")
    return _BITWISE.sub(r"\1", name)


def select(
    cases: Sequence[tuple[Instruction, Mapping[str, int]]],
    worker: LlvmWorker,
    extra: frozenset[str] = frozenset(),
    text: Text = function_text,
) -> list[Selected]:
    """Compile each emission alone with its own features (and ``extra``) by LLVM's ``-O3`` and code
    generator.

    ``text`` writes the function of one instruction with fixed immediates, under a name.
    """
    found: list[Selected] = []
    for start in range(0, len(cases), _BATCH):
        found.extend(_batch(cases[start : start + _BATCH], worker, extra, text))
    return found


def _batch(
    cases: Sequence[tuple[Instruction, Mapping[str, int]]],
    worker: LlvmWorker,
    extra: frozenset[str],
    function: Text,
) -> Iterator[Selected]:
    text = "".join(
        function(replace(i, features=i.features | extra), imm, f"f{k}")
        for k, (i, imm) in enumerate(cases)
    )
    machine = compiled(text, worker)
    if isinstance(machine, WorkerFailed):
        if len(cases) == 1:
            yield Selected(cases[0][0].name, cases[0][1], (), (), machine.reason)
            return
        for case in cases:
            yield from _batch([case], worker, extra, function)
        return
    bodies = functions_of(machine)
    for k, (i, imm) in enumerate(cases):
        yield read_selected(bodies[f"f{k}"], i, imm)


def read_selected(body: str, i: Instruction, immediates: Mapping[str, int]) -> Selected:
    """Return what the lines of a function show that an instruction with fixed immediates became."""
    lines = _without_return(list(_instructions(body)))
    forms = [(read_operation(line).form, _mnemonic(line)) for line in lines]
    kept = [f for f in forms if f[0] not in MASK_MOVES]
    return Selected(i.name, immediates, tuple(f for f, _ in kept), tuple(m for _, m in kept))


def functions_of(assembly: str) -> dict[str, str]:
    """Return the lines of each function ``f<number>`` of an assembly."""
    return dict(_FUNCTION.findall(assembly))


def compiled(text: str, worker: LlvmWorker) -> str | WorkerFailed:
    """Return the assembly of a module after ``-O3``."""
    optimised = worker.optimise(text, triple=TRIPLE, cpu="x86-64", features="")
    if isinstance(optimised, WorkerFailed):
        return optimised
    return worker.assembly(optimised, triple=TRIPLE, cpu="x86-64", features="")


def _instructions(body: str) -> Iterator[str]:
    for line in body.splitlines():
        text = line.partition("#")[0].strip()
        if (
            line.startswith("\t")
            and text
            and not text.startswith(".")
            and not _GLUE.fullmatch(_mnemonic(text))
        ):
            yield text


def _without_return(lines: list[str]) -> list[str]:
    """Drop the copy of a result that lies in its accumulator's register."""
    return lines[:-1] if len(lines) > 1 and _RETURN.fullmatch(lines[-1]) else lines


def _mnemonic(line: str) -> str:
    return next(word for word in line.split() if not word.startswith("{"))


def best(cases: Iterable[tuple[Instruction, Selected]]) -> Selected | None:
    """Return the selection that shows the instruction itself: one instruction of its name if
    any is, else the shortest.
    """
    ranked = sorted(
        ((not s.is_one(i.mnemonic), s.mnemonics != (i.mnemonic,), len(s.forms), k), s)
        for k, (i, s) in enumerate(cases)
        if s.forms
    )
    return ranked[0][1] if ranked else None


def tried(i: Instruction, most: int = _IMMEDIATES) -> list[dict[str, int]]:
    """Return immediates that show what an instruction becomes: ``most`` of the legal ones, and
    small ones (large shifts give constants).
    """
    every = immediate_choices(i.immediates, most, 0)
    if len(i.immediates) == 1:
        (m,) = i.immediates
        every.extend({m.name: v} for v in _SMALL if v in m.values and {m.name: v} not in every)
    return every


def selections(
    target: Target, worker: LlvmWorker, extra: frozenset[str], immediates: int = _IMMEDIATES
) -> dict[str, list[Selected]]:
    """Return what each instruction becomes, for up to ``immediates`` values of its immediates."""
    cases = [(i, imm) for i in target.instructions() for imm in tried(i, immediates)]
    found: dict[str, list[Selected]] = {}
    for s in select(cases, worker, extra):
        found.setdefault(s.name, []).append(s)
    return found


def main() -> None:
    """Print the table."""
    from semantics.x86.target import target

    sys.stdout.write(
        f"# what LLVM {binding.llvm_version()} selects for each emission, as forms of the price "
        "tables: python -m semantics.x86.selection" + "\n"
    )
    with LlvmWorker() as worker:
        found = selections(target(), worker, frozenset({"avx2"}))
    for i in target().instructions():
        chosen = best((i, s) for s in found[i.name])
        if chosen is not None:
            sys.stdout.write("\t".join([i.name, *chosen.forms]) + "\n")


if __name__ == "__main__":
    main()
