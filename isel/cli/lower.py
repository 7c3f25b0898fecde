"""``isel lower``: AutoLLVM calls as code of a machine, each step and the whole proved."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from equiv_classes.dictionary import dictionary
from frontends.autollvm.comments import without_comments
from frontends.autollvm.functions import Left
from frontends.autollvm.lower import Search
from frontends.autollvm.module import Aim, Lowered, lower_module
from frontends.autollvm.write import write_autollvm
from frontends.llvm.linked import binding
from frontends.llvm.linked.names import check_names
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.machine.gate import Gate
from frontends.llvm.refine.assumed import with_defined_loads
from frontends.llvm.text.parse import parse_module
from isel.cli.autollvm import known_target, say_unknown, triple_of
from isel.cli.edge import NOT_PROVED, OK, REFUTED, USER_ERROR
from isel.cli.files import Source, read_module, write_file
from isel.cli.listing import check_json, verdicts
from isel.cli.target import cpu_of
from isel.cost.gain import is_slower
from isel.json_text import print_json
from isel.model.machine import Machine
from isel.model.verdict import Proved, Refuted
from isel.spec.target import Target


@dataclass(frozen=True, slots=True)
class Place:
    """What code is made for, and the machine that searches it."""

    aim: Aim
    machine: Machine


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel lower``."""
    source = read_module(arguments.input)
    text = source.text if source.is_bitcode else source.own
    place = place_of(arguments, text)
    check_json(arguments, "module")
    if place is None:
        say_unknown(arguments.mtriple or triple_of(text) or "this machine")
        write_file(arguments.output, source.data)
        return print_json(_as_json(Lowered(text))) if arguments.json else OK
    found = _lower(arguments, without_comments(text), place)
    tell(source, text, found)
    code = code_of(found)
    if arguments.json:
        print_json(_as_json(found))
    if code != REFUTED and not any(left.wrong for left in found.left):
        write_file(arguments.output, found.text.encode())
    return code


def _as_json(found: Lowered) -> dict[str, object]:
    left = [{"function": x.function, "callee": x.callee, "why": x.why} for x in found.left]
    return {"calls": found.ways, "left": left, "functions": verdicts(found.proofs)}


def cheapest(text: str, other: str, gate: Gate) -> str:
    """Return ``other`` where one of its functions is faster and none is slower: by what differs,
    and by all blocks together, since code of two origins has little in common.
    """
    names = [f.name for f in parse_module(text).functions]
    if {f.name for f in parse_module(other).functions} != set(names):
        return text
    found = [gate.judge(text, other, name) for name in names]
    better = {j.accept for j in found} - {False} and True not in {j.slower for j in found}
    return other if better and not _dearer(gate, text, other, names) else text


def _dearer(gate: Gate, text: str, other: str, names: Sequence[str]) -> bool:
    return any(is_slower(_cycles(gate, text, n), _cycles(gate, other, n)) for n in names)


def _cycles(gate: Gate, text: str, name: str) -> float:
    return sum(cost.cycles for _, cost in gate.blocks(text, name))


def _attribute(text: str, name: str) -> str:
    """Return the first value that functions of a module give a string attribute, else nothing."""
    found = re.search(rf'"{name}"="([^"]*)"', text)
    return found[1] if found is not None else ""


def code_of(found: Lowered) -> int:
    """Return the exit code: what is refuted, what is left, what is not proved."""
    kinds = {type(a.verdict) for a in found.proofs}
    if Refuted in kinds:
        return REFUTED
    return USER_ERROR if found.left else OK if kinds <= {Proved} else NOT_PROVED


def _lower(arguments: argparse.Namespace, text: str, place: Place) -> Lowered:
    """Return the module for its machine: another one's intrinsics become AutoLLVM first."""
    own, given = known_target(triple_of(text)), text
    if own is not None and own.name != place.machine.target.name:
        given = without_comments(write_autollvm(given, own, dictionary()).text)
    assumed = with_defined_loads if arguments.assume_noundef_memory else str
    search = None if arguments.generic else searcher(place.machine, arguments.effort)
    return lower_cheaply(assumed(binding.normalise(given)), place, search, own)


def lower_cheaply(text: str, place: Place, search: Search | None, source: Target | None) -> Lowered:
    """Lower a module by plain IR without a search, else by the search's programs; by plain IR all
    the same where nothing is left and that is cheaper.
    """
    given = (text, place.aim, place.machine, dictionary())
    plain = lower_module(*given, None, plain=True, source=source)
    if search is None:
        return plain
    found = lower_module(*given, search, plain=False, source=source)
    if found.left or plain.left or found.ways == plain.ways:
        return found
    aim = place.aim
    with LlvmWorker() as worker:
        cpu = place.machine.cpu
        gate = Gate(worker, place.machine.target, cpu, aim.features, aim.triple)
        return plain if cheapest(found.text, plain.text, gate) == plain.text else found


def searcher(machine: Machine, effort: int | None) -> Search:
    """Return the search of a machine; equal windows are searched once."""
    from isel.model.answer import Options
    from isel.synth.synthesize import make_synthesizer

    synthesizer = make_synthesizer(machine, Options(effort=1 if effort is None else effort))
    synthesizer.prepare(())
    return synthesizer.search


def place_of(arguments: argparse.Namespace, text: str) -> Place | None:
    """Return what to lower for, None where the triple has no semantics."""
    triple = arguments.mtriple or triple_of(text) or binding.host_triple()
    target = known_target(triple)
    if target is None:
        return None
    own = known_target(triple_of(text))
    cpu, features = _attribute(text, "target-cpu"), _attribute(text, "target-features")
    aim = Aim(triple, "", "")
    if own is None or own.name != target.name or not cpu or arguments.mcpu:
        cpu, features = cpu_of(target.name, arguments.mcpu or "", arguments.mattr or "")
        check_names(triple, cpu, features)
        aim = Aim(triple, cpu, features)
    known = target.features(cpu, features)
    return Place(aim, Machine(target, cpu, known, target.vector_bits(known, {})))


def tell(source: Source, text: str, found: Lowered) -> None:
    """Say on standard error what was lowered how, what was not, and what is not proved."""
    for how, count in sorted(found.ways.items()):
        sys.stderr.write(f"isel: {count} calls: {how}\n")
    for left in found.left:
        sys.stderr.write(f"isel: {_where(source, text, left)}: error: {_words(left)}\n")
    for a in found.proofs:
        if not isinstance(a.verdict, Proved):
            sys.stderr.write(f"isel: {source.name}: {a.line}\n")


def _words(left: Left) -> str:
    expected = f", expected {left.expected}" if left.expected else ""
    where = f"@{left.function}: " if left.function else ""
    return f"{where}'@{left.callee}' is not lowered: {left.why}{expected}"


def _where(source: Source, text: str, left: Left) -> str:
    for n, line in enumerate(text.splitlines(), 1):
        at = line.find(f"@{left.callee}(")
        if at >= 0 and not line.startswith(("declare", ";")):
            return f"{source.name}:{n}:{at + 1}"
    return source.name
