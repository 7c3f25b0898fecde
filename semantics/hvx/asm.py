"""Reading Hexagon assembly: packets into a line each for the packet and what is in it.

A form is the mnemonic and the kinds of what is written and read: ``vavg:rnd v.ub=v.ub,v.ub``, where
``v`` is a vector, ``w`` a pair, ``q`` a predicate and ``r`` a general register.  Of instructions
without vectors only the kind matters, since a packet costs what it costs however full it is:
``scalar``, ``load``, ``store``, ``jump``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from isel.cost.code import Access, AsmLine, Dialect, Operation

PACKET: Final = "packet -"
_REGISTER: Final = re.compile(
    r"\b(?P<kind>[vrcpq])(?P<n>\d+)(?::(?P<low>\d+))?(?P<view>\.(?:u?[bhwn]|[sq]f\d*|hf|qf\d+))?"
    r"(?P<when>\.(?:new|cur|tmp))?\b"
)
_NAMED: Final = re.compile(r"\b(?:sp|fp|lr|usr|gp|sa[01]|lc[01]|m[01]|cs[01])\b")
_APPLIED: Final = re.compile(
    r"(?:if ?\((?P<test>[^()]*)\) ?)?(?P<to>[^=()]*?) ?(?P<how>[-+|&^]?=) ?[-+!]?"
    r"(?P<mnemonic>[a-z][\w.]*)\((?P<given>.*)\)(?P<rest>(?:[.:<>][\w:<>]*)*)$"
)
_STORED: Final = re.compile(
    r"(?:if ?\((?P<test>[^()]*)\) ?)?(?P<mnemonic>vmemu?|mem\w+)\((?P<at>[^()]*)\)(?::\w+)* ?="
)
_JUMP: Final = re.compile(
    r"(?:if ?\([^()]*(?:\([^()]*\))?[^()]*\) ?)?jump(?::\w+)? (?P<target>\S+)$"
)
_COMPARE_JUMP: Final = re.compile(r".*\bjump(?::\w+)? (?P<target>\S+)$")
_RETURN: Final = re.compile(
    r"jumpr(?::\w+)? (?:r31|lr)$|(?:r31:30 = )?dealloc_return(?:\(r30\))?(?::raw)?$"
)
_MAY_RETURN: Final = re.compile(r"if ?\(.*(?:jumpr(?::\w+)? (?:r31|lr)|\bdealloc_return\b.*)$")
_LOOP: Final = re.compile(
    r"(?:p3 = )?(?:sp[123])?loop(?P<n>[01])\((?:##)?(?P<target>[^,]+),#*(?P<count>.*)\)$"
)
_PLAIN: Final = re.compile(
    r"nop|immext\(.*\)|allocframe\(.*\)(?::\w+)*|(?:r31:30 = )?deallocframe(?:\(r30\))?"
    r"|barrier|isync|trap\d.*"
)
_MOVED: Final = re.compile(
    r"(?:if ?\([^()]*\) ?)?[rpcv]\d+(?::\d+)?(?:\.\w+)? ?[-+&|^]?= ?[-#\w:+.@()]+$"
)
_BITS: Final = {"v": 1024, "w": 2048, "q": 128}


def lines(raw: Iterable[str]) -> Iterator[str]:
    """Yield a line for each packet and each instruction in it, jumps last; of a packet that only
    returns, and frees no frame, the return alone: whatever follows a function pays for it.
    """
    packet: list[str] | None = None
    loops: dict[str, tuple[str, str]] = {}
    for text in raw:
        body = text.split("//", 1)[0].strip()
        if packet is None and not body.startswith("{"):
            yield text
            continue
        inner, ended, end = body.removeprefix("{").partition("}")
        packet = [*(packet or ()), *(x.strip() for x in inner.split(";") if x.strip())]
        if ended:
            yield from _unpacked(packet, end, loops)
            packet = None


def _unpacked(packet: Sequence[str], end: str, loops: dict[str, tuple[str, str]]) -> Iterator[str]:
    """Yield the lines of a packet; loops that it begins are noted, those that it ends jump."""
    for x in packet:
        if found := _LOOP.match(x):
            loops[found["n"]] = found["target"], found["count"]
    jumps = [x for x in packet if "jump" in x or "dealloc_return" in x]
    work = [x for x in packet if x not in jumps]
    if work or any(not _RETURN.match(x) or "dealloc" in x for x in jumps):
        yield "\t{"
    yield from (f"\t{x}" for x in (*work, *jumps))
    for n in "".join(re.findall(r":endloop([01]+)", end)):
        yield " ".join(("\tendloop", *loops.get(n, (n, ""))))


@lru_cache(maxsize=65536)
def read_line(text: str) -> AsmLine:
    """Read one line of :func:`lines`; what cannot be read becomes a form without a price."""
    text = " ".join(text.split())
    if text == "{":
        return _falling(Operation(PACKET))
    if text.startswith(("call ", "callr ")):
        return _falling(Operation(text))
    return _jump(text) or _falling(_operation(text))


def _jump(text: str) -> AsmLine | None:
    """Read what does not fall through, or not always; None where it does."""
    if _RETURN.match(text):
        return AsmLine(Operation("jump -"), "", branches=True, falls_through=False, returns=True)
    if _MAY_RETURN.match(text):
        return AsmLine(Operation("jump -"), "", branches=True, falls_through=True, returns=False)
    if text.startswith("endloop "):
        _, target, *count = text.split()
        passes = int(count[0]) if count and count[0].isdecimal() else 0
        return AsmLine(Operation("jump -"), target, True, True, False, passes)
    if "jump" in text:
        found = _JUMP.match(text) or _COMPARE_JUMP.match(text)
        if found is not None:
            always = text.startswith("jump")
            return AsmLine(Operation("jump -"), found["target"], True, not always, False)
    return None


def _falling(operation: Operation) -> AsmLine:
    return AsmLine(operation, "", branches=False, falls_through=True, returns=False)


def _operation(text: str) -> Operation:
    if _LOOP.match(text) or _PLAIN.fullmatch(text):
        return Operation("scalar -")
    stored = _STORED.match(text)
    if stored is not None:
        test = ",q" if stored["test"] and "q" in stored["test"] else ""
        is_vector = stored["mnemonic"].startswith("vmem")
        form = f"{stored['mnemonic']} mem=v{test}" if is_vector else "store -"
        return Operation(form, _registers(text))
    return _assignment(text)


def _assignment(text: str) -> Operation:
    """Read an instruction that writes registers."""
    form = form_of(text)
    if form is None:
        return Operation(text)
    to = text.split("=", 1)[0]
    writes = _registers(to.rpartition(")")[2] if text.startswith("if") else to)
    test = to.rpartition(")")[0] if text.startswith("if") else ""
    reads = _registers(f"{test} {text.split('=', 1)[1]}")
    accumulates = re.search(r"[-+|&^] ?=", text) is not None or text.startswith("if")
    return Operation(form, (*reads, *(writes if accumulates else ())), writes)


def form_of(text: str) -> str | None:
    """Return the form of an instruction that writes registers, None for what is not understood."""
    found = _APPLIED.match(text)
    if found is None:
        return "scalar -" if _MOVED.match(text) and not _has_vectors(text) else _vector_move(text)
    if not _has_vectors(text):
        return "load -" if found["mnemonic"].startswith("mem") else "scalar -"
    if found["mnemonic"] in ("vmem", "vmemu"):
        return f"{found['mnemonic']} {_kinds(found['to'])}=mem"
    test = f",{_kinds(found['test'])}" if found["test"] else ""
    given = ",".join(_kinds(x.strip()) for x in found["given"].split(","))
    return f"{found['mnemonic']}{found['rest']} {_kinds(found['to'])}{found['how']}{given}{test}"


def _vector_move(text: str) -> str | None:
    """Return the form of a copy, of zeros, and of conditional sums."""
    found = re.match(
        r"(?:if ?\((?P<test>[^()]*)\) ?)?(?P<to>[vq]\d[\d:]*(?:\.\w+)?) ?"
        r"(?P<how>[-+|&^]?=) ?(?P<of>#0|[vq][\d:.\w]*)$",
        text,
    )
    if found is None:
        return None
    test = f",{_kinds(found['test'])}" if found["test"] else ""
    return f"move {_kinds(found['to'])}{found['how']}{_kinds(found['of'])}{test}"


def _has_vectors(text: str) -> bool:
    return any(m["kind"] in "vq" for m in _REGISTER.finditer(text))


def _kinds(text: str) -> str:
    """Return operands as kinds: registers without numbers, any number as ``#``."""

    def kind(m: re.Match[str]) -> str:
        name = "w" if m["kind"] == "v" and m["low"] is not None else m["kind"]
        return name + (m["view"] or "")

    named = _NAMED.sub("r", _REGISTER.sub(kind, text))
    return re.sub(r"#+-?\w+", "#", named).replace(" ", "")


def _registers(text: str) -> tuple[str, ...]:
    """Return the registers that a text names, a pair as both of it."""
    found: dict[str, None] = {}
    for m in _REGISTER.finditer(text):
        found[m["kind"] + m["n"]] = None
        if m["low"] is not None:
            found[m["kind"] + m["low"]] = None
    return tuple(found)


def result_kind(form: str) -> str:
    """Return the kind of the register that a form writes: ``v``, ``w``, ``q`` or ``r``."""
    to = form.partition(" ")[2].partition("=")[0].rstrip("+-|&^")
    return to.partition(".")[0] if to[:1] in tuple("vwqr") else "r"


def register_bits(form: str) -> int:
    """Return the bits of the vector register that a form writes, 0 where it writes none."""
    return _BITS.get(result_kind(form), 0) if "=" in form else 0


def memory_access(form: str) -> Access:
    """Return what a form does to memory: unaligned accesses have instructions of their own."""
    return Access()


def is_named(form: str, instruction: str) -> bool:
    """Tell whether a form is of an instruction as lists write it: ``*`` for numbers, with what it
    writes or without.
    """
    text = instruction.replace("*", "0")
    wanted = form_of(text if "=" in text else f"v0 = {text}")
    if wanted is None:
        return False
    if ":0." not in text:  # a pair is a vector in some of these lists
        wanted, form = (re.sub(r"\bw\b", "v", x) for x in (wanted, form))
    return wanted == form if "=" in text else _read(wanted) == _read(form)


def _read(form: str) -> tuple[str, str]:
    mnemonic, _, operands = form.partition(" ")
    return mnemonic, operands.partition("=")[2]


def filling_packets(form: str) -> int:
    """Return how many packets fill the general registers that a form reads: one, if there are
    any.
    """
    return int(any(x.startswith("r") for x in _read(form)[1].split(",")))


DIALECT: Final = Dialect(
    read_line, "//", register_bits, result_kind, memory_access, lines, is_named, filling_packets
)
