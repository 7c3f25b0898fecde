"""Learned emissions under LLVM: which are the same after optimisation, and what each becomes
when compiled alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Final, TypeVar

from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from isel.errors import BadModule
from isel.ir.expr import Expr
from isel.spec.emission import emitted
from isel.spec.instruction import Immediate, Instruction, Operand, Role
from isel.spec.sem_family import type_text
from semantics.emission.body import Body, cast_lines
from semantics.emission.prototype import Entry, Kind
from semantics.emission.sections import Learned, Section
from semantics.machine import Machine
from semantics.selection import Printed, Text, select

_BODY: Final = re.compile(r"^define [^\n]*@f(\d+)\([^\n]*\{\n(.*?)^\}$", re.DOTALL | re.MULTILINE)
_TRIED: Final = 6
_AT_ONCE: Final = 512
E = TypeVar("E", bound=Entry)


def operand(name: str, kind: str, role: Role = Role.IN) -> Operand:
    """Return the operand of an IR type."""
    m = re.fullmatch(r"<(\d+) x i(\d+)>", kind)
    if m is None:
        return Operand(name, int(kind[1:]), 1, Role.SCALAR)
    return Operand(name, int(m[2]), int(m[1]), Role.MASK if m[2] == "1" else role)


def _no_semantics(_lane: int, _immediates: Mapping[str, int]) -> Expr:
    raise NotImplementedError("an emission says nothing of what it means")


def instruction(entry: Entry, learned: Learned, section: Section) -> Instruction:
    """Return one section of an emission as an instruction without semantics, for the harness."""
    result = operand("r", learned.result)
    immediates = (Immediate(learned.immediate, 32, section.values),) if learned.immediate else ()
    return Instruction(
        name=entry.name,
        mnemonic=entry.instructions[0],
        operands=tuple(operand(n, k) for n, k in learned.operands),
        immediates=immediates,
        width=result.width,
        lanes=result.lanes,
        features=frozenset(entry.features),
        emission=section.lines,
        call="",
        lane=_no_semantics,
    )


def function_of(body: Body, name: str) -> str:
    """Return an IR function of a body, its operands in their own types."""
    parameters = ", ".join(f"{kind} %{n}" for n, kind in body.operands)
    lines = "\n  ".join([*body.lines, f"ret {body.result} %r"])
    head = f'define {body.result} @{name}({parameters}) "min-legal-vector-width"="512"'
    return f"{head} {{\n  {lines}\n}}\n"


def optimised_same(
    worker: LlvmWorker, pairs: Sequence[tuple[Body, Body]], machine: Machine
) -> list[bool]:
    """Tell of each pair whether LLVM optimises both to the same text; what it cannot read is
    not the same.
    """
    found: list[bool] = []
    for start in range(0, len(pairs), _AT_ONCE):
        some = pairs[start : start + _AT_ONCE]
        every = enumerate(b for pair in some for b in pair)
        text = "".join(function_of(b, f"f{k}") for k, b in every)
        try:
            done = worker.optimise(
                text, triple=machine.triple, cpu=machine.cpu, features="", level=1
            )
        except BadModule:
            done = WorkerFailed("")
        if isinstance(done, WorkerFailed):
            alone = some if len(some) > 1 else ()
            found += [same for x in alone for same in optimised_same(worker, [x], machine)]
            found += [False] * (len(some) == 1)
            continue
        bodies = {int(k): body for k, body in _BODY.findall(done)}
        found.extend(bodies[2 * k] == bodies[2 * k + 1] for k in range(len(some)))
    return found


def accepted(worker: LlvmWorker, bodies: Iterable[Body]) -> list[str]:
    """Return the lines that the linked LLVM does not print as they stand: other signatures,
    names that it upgrades.
    """
    wrong: list[str] = []
    some = list(bodies)
    for start in range(0, len(some), _AT_ONCE):
        part = some[start : start + _AT_ONCE]
        printed = worker.run(
            partial(binding.normalise, "".join(function_of(b, f"f{k}") for k, b in enumerate(part)))
        )
        if isinstance(printed, WorkerFailed):
            return [printed.reason]
        found = {int(k): body for k, body in _BODY.findall(printed)}
        for k, b in enumerate(part):
            calls = [m[0] for line in b.lines for m in re.finditer(r"@llvm\.[\w.]+", line)]
            wrong.extend(c for c in calls if c + "(" not in found[k])
    return wrong


def sampled(values: Sequence[int]) -> list[int]:
    """Return up to six of the values: the first, the last and evenly between."""
    if len(values) <= _TRIED:
        return list(values)
    return [values[k * (len(values) - 1) // (_TRIED - 1)] for k in range(_TRIED)]


def in_mask_registers(entry: Entry, machine: Machine) -> Text:
    """Return what writes a function of an emission whose masks, by their C types, are loaded
    and stored as masks.
    """
    masks = {p.name: p.c.bits for p in entry.parameters if p.c.kind is Kind.MASK}

    def text(i: Instruction, immediates: Mapping[str, int], name: str) -> str:
        parameters: list[str] = []
        lines: list[str] = []
        for o in i.operands:
            kind = type_text(o.lanes, o.width)
            if o.name not in masks:
                parameters.append(f"{kind} %{o.name}")
                continue
            whole = f"<{masks[o.name]} x i1>"
            parameters.append(f"ptr %{o.name}.at")
            lines.append(f"%{o.name}.in = load {whole}, ptr %{o.name}.at, align 1")
            lines.extend(cast_lines(f"%{o.name}.in", whole, kind, f"%{o.name}"))
        lines.extend(emitted(i.emission, immediates))
        kind = type_text(i.lanes, i.width)
        if entry.returned.kind is not Kind.MASK:
            head = f"define {kind} @{name}({', '.join(parameters)})"
            return _function(head, [*lines, f"ret {kind} %r"], machine.attributes(i.features))
        whole = f"<{entry.returned.bits} x i1>"
        lines.extend(cast_lines("%r", kind, whole, "%.out"))
        head = f"define void @{name}({', '.join(['ptr %.to', *parameters])})"
        lines += [f"store {whole} %.out, ptr %.to, align 1", "ret void"]
        return _function(head, lines, machine.attributes(i.features))

    return text


def _function(head: str, lines: Sequence[str], attributes: str) -> str:
    body = "\n  ".join(lines)
    return f"{head} {attributes} {{\n  {body}\n}}\n"


def become(
    worker: LlvmWorker, learned: Mapping[E, Learned], printed: Printed
) -> dict[E, tuple[str, ...]]:
    """Return what each emission becomes, compiled alone with its entry's features only: the
    mnemonics at the immediate (of some in each section) that comes nearest to the entry's own
    instruction.
    """
    cases: list[tuple[Instruction, dict[str, int]]] = []
    owners: list[E] = []
    for entry, emission in learned.items():
        for section in emission.sections:
            for value in sampled(section.values) if section.values else [0]:
                immediates = {emission.immediate: value} if emission.immediate else {}
                cases.append((instruction(entry, emission, section), immediates))
                owners.append(entry)
    writers = {e: in_mask_registers(e, printed.machine) for e in learned}
    entries = {(i.name, i.features): e for e, (i, _) in zip(owners, cases, strict=True)}
    found: dict[E, list[tuple[str, ...]]] = {}

    def text(i: Instruction, immediates: Mapping[str, int], name: str) -> str:
        return writers[entries[i.name, i.features]](i, immediates, name)

    chosen = select(cases, worker, printed, text=text)
    for owner, s in zip(owners, chosen, strict=True):
        found.setdefault(owner, []).append(s.mnemonics if not s.failure else ("fails",))
    return {e: min(some, key=partial(_distance, e, printed)) for e, some in found.items()}


def _distance(
    entry: Entry, printed: Printed, mnemonics: tuple[str, ...]
) -> tuple[bool, bool, int, tuple[str, ...]]:
    return not is_single(entry, mnemonics, printed), len(mnemonics) != 1, len(mnemonics), mnemonics


def is_single(entry: Entry, mnemonics: Sequence[str], printed: Printed) -> bool:
    """Tell whether that is exactly the entry's instruction, by its name or another of the same
    operation.
    """
    return len(mnemonics) == 1 and any(
        printed.equivalent(name, mnemonics[0]) for name in entry.instructions
    )
