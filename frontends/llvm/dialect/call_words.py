"""Intrinsics that older LLVMs call by another name, with other operands, or do not have."""

from __future__ import annotations

import re
from typing import Final

from frontends.llvm.dialect.known import since, words
from frontends.llvm.dialect.tape import Tape
from frontends.llvm.text import build
from frontends.llvm.text.ast import OtherType, Symbol
from frontends.llvm.text.layout import NotSized, Sizes
from frontends.llvm.text.operands import read_type
from frontends.llvm.text.tokens import Cursor, NotUnderstood

_SIZED: Final = (
    22  # from here on lifetimes have no size, and masked accesses their alignment as an attribute
)
_ALIGNED: Final = {
    "llvm.masked.load": (0, 3),
    "llvm.masked.store": (1, 3),
    "llvm.masked.gather": (0, 3),
    "llvm.masked.scatter": (1, 3),
}
_DOTS: Final = re.compile(r"llvm\.x86\.avx(?:512|2)\.vpdp[bw][su][su]ds?\.\d+")
_DOTS_SINCE: Final = (
    22  # operands have the elements that are multiplied; before they had those of the result
)
_OURS: Final = re.compile(r"%isel\.old\.(\d+)")


# Stems that have their name since a version; before it they were experimental.
RENAMED: Final = {x: int(v) for x, v in words()["experimental before"].items()}


class Calls:
    """Calls and declarations of intrinsics on a tape; ``sizes`` tells how large the objects of
    lifetimes are.
    """

    def __init__(self, tape: Tape, sizes: Sizes | None) -> None:
        self.tape = tape
        self.sizes = sizes
        self.fresh = 1 + max(
            (int(m[1]) for t in tape.tokens if (m := _OURS.fullmatch(t)) is not None), default=-1
        )
        self.objects: dict[str, tuple[int, int]] = {}

    def say(self) -> None:
        """Say every call and declaration of an intrinsic in older words."""
        for first, last in self.tape.functions():
            self.objects = {}
            self._say(first, last)
        self._say(0, len(self.tape.tokens), declarations=True)

    def _say(self, first: int, last: int, *, declarations: bool = False) -> None:
        for k in range(first, last):
            token = self.tape.tokens[k]
            if token == "alloca" and self.tape.at(k - 1) == "=":
                self.objects[self.tape.tokens[k - 2]] = (k, last)
            elif token[:6] == "@llvm." and self.tape.at(k + 1) == "(":
                call = self.tape.of_call(k)
                if call >= 0 and (self.tape.tokens[call] == "declare") == declarations:
                    self._intrinsic(k, token[1:], call)

    def _intrinsic(self, place: int, name: str, call: int) -> None:
        version = self.tape.version
        stem = ".".join(name.split(".")[:3])
        older = _older(name, version)
        if older != name:
            self.tape.replace(place, f"@{older}")
        if version < since(older):
            raise self.tape.refused(f"@{name}")
        if version >= _SIZED:
            return
        if stem in ("llvm.lifetime.start", "llvm.lifetime.end"):
            self._lifetime(place + 1, call)
        elif stem in _ALIGNED:
            self._align(place + 1, call, *_ALIGNED[stem])
        elif version < _DOTS_SINCE and _DOTS.fullmatch(name):
            self._dot_product(place + 1, call)

    def _declares(self, call: int) -> bool:
        return self.tape.tokens[call] == "declare"

    def _lifetime(self, opening: int, call: int) -> None:
        parts = self.tape.arguments(opening)
        if len(parts) != 1:
            return
        if self._declares(call) and self.tape.tokens[parts[0][0]] != "ptr":
            self._forget(call)  # LLVM 22 leaves it behind where it reads pointers with types
            return
        size = "" if self._declares(call) else f" {self._size(self.tape.tokens[parts[0][1]])}"
        self.tape.insert(parts[0][0], f"i64{size}, ")

    def _forget(self, declaration: int) -> None:
        last = declaration
        while last + 1 < len(self.tape.tokens) and not self.tape.starts_line(last + 1):
            last += 1
        self.tape.drop(declaration, last)

    def _size(self, name: str) -> int:
        """Return the bytes of a local object, -1 where that is not known, which LLVM takes for
        all of it.
        """
        place, last = self.objects.get(name, (-1, -1))
        if place < 0 or self.sizes is None:
            return -1
        end = next((k for k in range(place, last) if self.tape.starts_line(k + 1)), place)
        c = Cursor(self.tape.between(place + 1, end))
        try:
            c.take("inalloca")
            size = self.sizes.stride(read_type(c))
        except (NotUnderstood, NotSized):
            return -1
        if c.take(",") and c.token not in ("align", "addrspace") and c.token[:1] != "!":
            count = c.peek(1)
            return size * int(count) if count.isdecimal() else -1
        return size

    def _align(self, opening: int, call: int, pointer: int, count: int) -> None:
        """Make the alignment of a masked access an operand again."""
        parts = self.tape.arguments(opening)
        if len(parts) != count:
            return
        first, last = parts[pointer]
        align = "1"
        for k in range(first, last):
            if self.tape.tokens[k] == "align":
                value = k + 2 if self.tape.tokens[k + 1] == "(" else k + 1
                align = self.tape.tokens[value]
                self.tape.drop(k, self.tape.close.get(k + 1, k + 1))
        self.tape.insert(
            parts[pointer + 1][0], "i32 immarg, " if self._declares(call) else f"i32 {align}, "
        )

    def _dot_product(self, opening: int, call: int) -> None:
        """Give the factors of a dot product the type of the sum."""
        tape = self.tape
        parts = tape.arguments(opening)
        sum_ = tape.close[parts[0][0]]
        kind = tape.between(parts[0][0], sum_)
        for first, last in parts[1:]:
            end = tape.close[first]
            own = tape.between(first, end)
            if own == kind:
                continue
            tape.drop(first, end)
            tape.replace(first, kind)
            if self._declares(call):
                continue
            value = next(
                k
                for k in range(end + 1, last + 1)
                if tape.tokens[k] not in ("noundef", "zeroext", "signext", "inreg")
            )
            if tape.tokens[value][0] == "%":
                name, given = f"isel.old.{self.fresh}", Symbol(tape.tokens[value], OtherType(own))
                line = build.cast("bitcast", given, OtherType(kind)).line(name)
                self.fresh += 1
                tape.insert(tape.statement(call), f"{line}\n  ")
                tape.replace(value, f"%{name}")
            else:
                tape.insert(value, f"bitcast ({own} ")
                tape.insert_behind(last, f" to {kind})")


def _older(name: str, version: int) -> str:
    """Return what an intrinsic is called in a version of LLVM."""
    later = (x for x, since_ in RENAMED.items() if version < since_)
    renamed = any(f"{name}.".startswith(f"{stem}.") for stem in later)
    return f"llvm.experimental.{name.removeprefix('llvm.')}" if renamed else name
