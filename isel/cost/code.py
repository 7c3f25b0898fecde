"""Machine code as the block model sees it: operations with forms and registers, blocks with
loop depth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum


class Traffic(StrEnum):
    """Memory traffic that the source program did not ask for."""

    NONE = ""
    SPILL = "spill"
    CONSTANT = "constant"


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """The bytes of memory that an operation loads or stores: ``base`` names the registers that
    the address is computed of, between blanks, and how; ``first`` is the distance from there.

    ``whole`` tells that a general register is moved as it is, at an address of one register.
    """

    base: str
    first: int
    bytes: int
    loads: bool
    stores: bool
    whole: bool = False

    @property
    def range(self) -> range:
        """Return the distances of its bytes from the base."""
        return range(self.first, self.first + self.bytes)


@dataclass(frozen=True, slots=True)
class Operation:
    """One instruction: its form (opcode and operand kinds), the registers it reads and writes, its
    hidden traffic.

    ``addresses`` are the registers that only form an address; ``register_form`` is the form with a
    loaded operand replaced by a register, or empty: a value that arrives in a register does not
    wait for the load; ``stored_form`` is that with what it stores left in a register, where it cuts
    lanes first.  ``plain_forms`` are the forms that would load or store the same bytes in the order
    of memory, where this one puts them in another.  ``accumulator`` is the register that it reads
    and writes, where an earlier result of its kind may arrive later than other operands.  ``place``
    is where in memory it loads or stores, None where it does not or that is not known; ``lanes``
    tells that it reads or writes a vector register.
    """

    form: str
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    traffic: Traffic = Traffic.NONE
    register_form: str = ""
    stored_form: str = ""
    plain_forms: tuple[str, ...] = ()
    accumulator: str = ""
    place: Place | None = None
    lanes: bool = False


@dataclass(frozen=True, slots=True)
class AsmLine:
    """An instruction as read: the operation, the label it may jump to, whether it ends its
    block, what follows, and the passes through the loop that it ends, 0 where it says none.
    """

    operation: Operation
    target: str
    branches: bool
    falls_through: bool
    returns: bool
    passes: int = 0


@dataclass(frozen=True, slots=True)
class Access:
    """The bytes of memory that a form reads or writes as a vector at an address that its
    mnemonic does not align; 0 where it does neither.
    """

    bytes: int = 0
    stores: bool = False


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a target's assembly is written: ``read`` reads one instruction, without label or comment;
    ``comment`` begins what is none; ``bits`` are those of the vector register that a form gives its
    result in, 0 where there is none or that is not certain; ``written`` is the kind of the register
    that it writes; ``accessed`` is what it does to memory; ``lines`` brings a function's lines into
    the form that ``read`` takes.  Where code is packets, ``named`` tells whether a form is of an
    instruction as lists of instructions write it, and ``before`` is how many packets fill general
    registers that it reads.  ``moves`` tells whether a form moves a value between a general
    register and lanes.
    """

    read: Callable[[str], AsmLine]
    comment: str
    bits: Callable[[str], int]
    written: Callable[[str], str]
    accessed: Callable[[str], Access]
    lines: Callable[[Iterable[str]], Iterable[str]] = iter
    named: Callable[[str, str], bool] | None = None
    before: Callable[[str], int] = lambda form: 0
    moves: Callable[[str], bool] = lambda form: False


@dataclass(frozen=True, slots=True)
class Block:
    """A basic block; ``depth`` counts the loops around it, ``repeats`` tells that it is a loop
    of its own, ``source`` is the block of LLVM IR that it is said to be made of.
    """

    label: str
    operations: tuple[Operation, ...]
    depth: int = 0
    repeats: bool = False
    source: str = ""


@dataclass(frozen=True, slots=True)
class Loop:
    """Blocks of a function by number, the first where the loop is entered, and the passes through
    it that its instructions name, 0 where they name none.

    ``ways`` are the blocks of a pass in order, for each way through an innermost loop of several
    blocks; none where there are many.
    """

    blocks: tuple[int, ...]
    passes: int
    ways: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Code:
    """The blocks of one function in layout order, and its loops, each before those inside it."""

    name: str
    blocks: tuple[Block, ...]
    loops: tuple[Loop, ...] = ()


def split_operands(text: str, opening: str, closing: str) -> list[str]:
    """Split the operands of a line of assembly at commas outside brackets."""
    parts: list[str] = []
    depth, start = 0, 0
    for i, c in enumerate(text):
        depth += (c in opening) - (c in closing)
        if c == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    last = text[start:].strip()
    return [*parts, last] if last else parts
