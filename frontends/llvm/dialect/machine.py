"""CPUs, features and data layouts by version."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from frontends.llvm.dialect.known import ARM, X86, knows_cpu, knows_feature, list_all, words
from frontends.llvm.dialect.tape import Tape

# A CPU of the same family that LLVM has known for longer, with no feature that the newer one lacks.
BEFORE: Final[Mapping[str, str]] = words()["cpu before"]
_LEAST: Final = {X86: "x86-64", ARM: "generic"}
_WIDE_REGISTERS: Final = range(18, 22)  # where 512 bits are a feature beside AVX-512
_I128_ALIGNED: Final = 18
_NO_RESERVE: Final = "non-leaf-no-reserve"
_NO_RESERVE_SINCE: Final = 22


def say_machine(tape: Tape) -> None:
    """Say CPUs, features and the data layout in older words."""
    triple = _target(tape)
    for k, token in enumerate(tape.tokens if triple else ()):
        if tape.at(k + 1) != "=":
            continue
        value = tape.at(k + 2)[1:-1]
        if token in ('"target-cpu"', '"tune-cpu"'):
            if knows_cpu(value, tape.version, triple):
                continue
            if token == '"target-cpu"' and not _has_features(tape, k):
                raise tape.refused(f"the CPU '{value}'")
            tape.replace(k + 2, f'"{_older_cpu(value, tape.version, triple)}"')
        elif (
            token == '"frame-pointer"' and value == _NO_RESERVE and tape.version < _NO_RESERVE_SINCE
        ):
            tape.replace(k + 2, '"non-leaf"')  # which kept no register free until then
        elif token == '"target-features"':
            tape.replace(k + 2, f'"{",".join(_keep(value.split(","), tape.version, triple))}"')
        elif (
            token == "datalayout"
            and triple == X86
            and tape.version < _I128_ALIGNED
            and "i128:128" in value.split("-")
        ):
            _no_i128_in_memory(tape)
            tape.replace(k + 2, f'"{"-".join(x for x in value.split("-") if x != "i128:128")}"')


def _target(tape: Tape) -> str:
    """Return which target the module is for, empty for one whose CPUs are not listed; one without
    a triple is for the machine that compiles it.
    """
    named = [
        tape.at(k + 2)
        for k, t in enumerate(tape.tokens)
        if t == "triple" and tape.at(k + 1) == "=" and tape.at(k - 1) == "target"
    ]
    return list_all(named[0][1:-1]) if named else X86


def _has_features(tape: Tape, place: int) -> bool:
    """Tell whether the attributes around a place name features as well."""
    k = place
    while k and not tape.starts_line(k):
        k -= 1
    while True:
        if tape.tokens[k] == '"target-features"':
            return True
        k += 1
        if k >= len(tape.tokens) or tape.starts_line(k):
            return False


def _older_cpu(name: str, version: int, triple: str) -> str:
    while name and not knows_cpu(name, version, triple):
        name = BEFORE.get(name, _LEAST[triple])
    return name


def _keep(features: list[str], version: int, triple: str) -> Iterator[str]:
    wide = any(f.startswith("+avx512") for f in features) and not any(
        f[1:] == "evex512" for f in features
    )
    if wide and version in _WIDE_REGISTERS:
        yield "+evex512"
    for f in features:
        if f and knows_feature(f[1:], version, triple):
            yield f


def _no_i128_in_memory(tape: Tape) -> None:
    """Raise an error for what lies elsewhere in memory under the older layout: a structure with
    an i128 in it, and other integers of more than 64 bits.
    """
    for opening, closing in tape.close.items():
        if (
            tape.tokens[opening] == "{"
            and not tape.starts_line(closing)
            and "i128" in tape.tokens[opening:closing]
        ):
            raise tape.refused("where an i128 is in a structure")
    odd = next(filter(_is_odd, tape.tokens), "")
    if odd:
        raise tape.refused(f"where an {odd} is in memory")


def _is_odd(token: str) -> bool:
    """Tell whether a token is a long integer type other than i128."""
    return token[0] == "i" and token[1:].isdecimal() and int(token[1:]) > 64 and token != "i128"
