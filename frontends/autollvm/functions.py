"""The AutoLLVM calls of one function, each lowered by itself or together with its neighbours."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from equiv_classes.calls import PREFIX
from frontends.autollvm.defined import Defined
from frontends.autollvm.joined import joinings
from frontends.autollvm.lower import Lines, Lowering, as_result
from frontends.autollvm.near import nearest
from frontends.autollvm.read import Call, NoCall, read_call
from frontends.llvm.text.ast import Function, Instr, Local


@dataclass(frozen=True, slots=True)
class Left:
    """A call that was not lowered: its function, name, why, and what was expected instead;
    ``wrong``: it is no call of the dictionary.
    """

    function: str
    callee: str
    why: str
    expected: str = ""
    wrong: bool = False


@dataclass
class Replaced:
    """What became of a function's calls: lines by the number of the line that they replace,
    declarations by name, the ways, and those that stay.
    """

    lines: dict[int, str] = field(default_factory=dict)
    declared: dict[str, str] = field(default_factory=dict)
    ways: list[str] = field(default_factory=list)
    left: list[Left] = field(default_factory=list)


def lower_calls(f: Function, lowering: Lowering) -> Replaced:
    """Lower the calls of a function, in order.

    One that has no code by itself waits for its users: where each of them has code together with
    it, nothing is left of it.
    """
    done, fresh = Replaced(), _fresh(f)
    calls: dict[str, Call] = {}
    waiting: dict[str, Left] = {}
    without: dict[str, set[str]] = {}  # the users that read past a call
    defined = lowering.defined = Defined(f)
    for i in f.view:
        if not is_call(i):
            defined.see(i)
            continue
        try:
            call = read_call(i, lowering.dictionary)
        except NoCall as problem:
            done.left.append(Left(f.name, i.callee, problem.why, problem.expected, wrong=True))
            continue
        names, found = _code(call, calls, waiting, lowering, fresh)
        calls[i.name] = call
        if isinstance(found, str):
            near = nearest(call, lowering.machine, lowering.dictionary)
            waiting[i.name] = Left(f.name, i.callee, f"{found}; {near}" if near else found)
            continue
        for name in names:
            without.setdefault(name, set()).add(i.name)
        done.lines[i.line] = "\n".join(as_result(found, i.name))
        done.declared.update(found.declarations)
        done.ways.append(found.how)
        defined.add(i.name)
    for name, left in waiting.items():
        if {u.name for u in f.view.used_by(name)} <= without.get(name, set()):
            done.lines[calls[name].instr.line] = ""
            done.ways.append("together with the calls that read it")
        else:
            done.left.append(left)
    return done


def _code(
    call: Call,
    calls: Mapping[str, Call],
    waiting: Collection[str],
    lowering: Lowering,
    fresh: Callable[[], str],
) -> tuple[frozenset[str], Lines | str]:
    """Return the code of a call, and the calls whose operands it reads instead of them: those that
    wait, if there are any, else none, or some that give it code.
    """
    read = {o.name for o in call.operands.values() if isinstance(o, Local) and o.name in waiting}
    found = "" if read else lowering.code(call, fresh)
    if isinstance(found, str):
        for names, asked in joinings(call, calls):
            lines = lowering.program(asked, fresh) if names >= read else ""
            if isinstance(lines, Lines):
                return names, lines
    return frozenset(), found or lowering.code(call, fresh)


def is_call(i: Instr) -> bool:
    """Tell whether an instruction is a call of the dictionary."""
    return i.opcode == "call" and i.callee.startswith(PREFIX) and i.known


def _fresh(f: Function) -> Callable[[], str]:
    taken = {*f.view.defs, *(a.name for a in f.arguments)}
    count = 0

    def name() -> str:
        nonlocal count
        while f"auto.{count}" in taken:
            count += 1
        count += 1
        return f"auto.{count - 1}"

    return name
