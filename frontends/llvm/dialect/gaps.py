"""Numbers of values without names: LLVM before 18 wants them without gaps, which instructions
that were taken out leave.
"""

from __future__ import annotations

from typing import Final

from frontends.llvm.dialect.tape import Tape

_GAPS: Final = 18


def close_gaps(tape: Tape) -> None:
    """Number the arguments, blocks and values of each function that has gaps anew."""
    if tape.version >= _GAPS:
        return
    for head, opening in tape.heads():
        numbers = _numbers(tape, head, opening)
        if all(old == new for old, new in numbers.items()):
            continue
        if any(
            t == "type" and tape.at(k - 1) == "=" and tape.at(k - 2)[1:].isdecimal()
            for k, t in enumerate(tape.tokens)
        ):
            raise tape.refused("values and types with numbers, some left out")
        if "blockaddress" in tape.tokens:
            raise tape.refused("addresses of blocks with numbers, some left out")
        for k in range(head, tape.close[opening]):
            token = tape.tokens[k]
            if token[0] == "%" and token[1:] in numbers:
                tape.replace(k, f"%{numbers[token[1:]]}")
            elif token in numbers and _is_number_of_block(tape, k):
                tape.replace(k, numbers[token])


def _numbers(tape: Tape, head: int, opening: int) -> dict[str, str]:
    """Return the new number of each number that a function defines, in the order of the text."""
    found: dict[str, str] = {}
    count = 0
    for first, last in tape.arguments(
        next(k for k in range(head, opening) if tape.tokens[k] == "(")
    ):
        if tape.tokens[last][:1] == "%" and tape.tokens[last][1:].isdecimal() and last > first:
            found[tape.tokens[last][1:]] = str(count)
            count += 1
    if not tape.is_label(opening + 1):
        count += 1  # the first block, whose number is not written
    for k in range(opening + 1, tape.close[opening]):
        token = tape.tokens[k]
        defines = (
            token[0] == "%"
            and token[1:].isdecimal()
            and tape.at(k + 1) == "="
            and tape.starts_line(k)
        )
        if defines or _is_number_of_block(tape, k):
            found[token.removeprefix("%")] = str(count)
            count += 1
    return found


def _is_number_of_block(tape: Tape, place: int) -> bool:
    return tape.tokens[place].isdecimal() and tape.is_label(place) and tape.starts_line(place)
