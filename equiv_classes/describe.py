"""A class told to a reader: its formula, the values of its parameters, and each member's."""

from __future__ import annotations

from collections.abc import Iterator

from equiv_classes.dictionary import EquivClass, Member, settings_text

_MANY = 8


def described(c: EquivClass) -> str:
    """Return the text of ``isel classes show`` for one class."""
    return "\n".join(_lines(c)) + "\n"


def formula_lines(c: EquivClass) -> Iterator[str]:
    """Yield a line for each kind of lane: what it computes, and for which digits of the loop
    nest.
    """
    for k in c.formula.kinds:
        loops = ", ".join(f"{digit} < {bound}" for digit, bound in k.loops)
        yield f"r[{k.index}] = {k.term}{f' for {loops}' if loops else ''}"


def parameters_of(c: EquivClass, m: Member) -> str:
    """Return a member's parameters, its operands where they have other letters, and the
    immediates that it is for.
    """
    words = [f"{p}={v}" for p, v in c.environment(m).items()]
    words += [f"{letter}={operand}" for letter, operand in m.operands.items() if letter != operand]
    if m.settings:
        words.append(f"at {settings_text(m.settings)}")
    return " ".join(words)


def _lines(c: EquivClass) -> Iterator[str]:
    names = dict.fromkeys((m.target, m.name) for m in c.members)
    yield f"class {c.name}: {len(names)} {'instruction' if len(names) == 1 else 'instructions'}"
    if c.reason:
        yield f"  no formula: {c.reason}"
    else:
        yield f"  operands    {' '.join(c.letters)}"
        for k, p in enumerate(c.parameters):
            yield f"  parameter   {p}: {_values(sorted({m.values[k] for m in c.members}))}"
        yield f"  result      {c.formula.lanes} lanes of {c.formula.width} bits"
        yield from (f"  lane        {line}" for line in formula_lines(c))
        yield from _modes(c)
    width = max(len(m.name) for m in c.members)
    for m in c.members:
        mode = "" if m.mode == "none" else f"{m.mode}: "
        yield f"  {m.target}  {m.name:{width}}  {mode}{parameters_of(c, m)}".rstrip()


def _values(values: list[int]) -> str:
    if len(values) <= _MANY:
        return " ".join(map(str, values))
    return f"{values[0]} to {values[-1]} ({len(values)} values)"


def _modes(c: EquivClass) -> Iterator[str]:
    for mode, stages in c.formula.modes.items():
        for stage in dict.fromkeys(s for s in stages if s):
            kept = stage[1] if len(stage) > 1 else "0"
            yield f"  {mode:10}  where {stage[0]} is 0 the lane is {kept}"
