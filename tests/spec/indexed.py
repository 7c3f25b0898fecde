"""Instructions with something of everything that an index holds, and their index."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from isel.places import key_path
from isel.spec.index import indexed
from isel.spec.index_rows import Entries
from isel.spec.instruction import Instruction, Membership
from isel.spec.sem import read_entries
from isel.spec.sem_show import show_sem
from isel.trust import Signer, signer_at

SEM = """
instruction add_{w}
  for w in 8 16
  in a, b: 128 / w x w
  result 128 / w x w
  lane a[i] + b[i]
  features one
  emit %r = add <{128 / w} x i{w}> %a, %b

instruction add_16_merge
  in a, b: 8 x 16
  result 8 x 16
  lane a[i] + b[i]
  predication merge(k, src)
  features one two
  emit %r = add <8 x i16> %a, %b

# shuffles

instruction shuffle
  in a: 4 x 32
  imm m: 8 in 0..255
  result 4 x 32
  lane a[m >> i * 2 & 3]
  features one
  emit %r = shufflevector <4 x i32> %a, <4 x i32> poison, $[i < 4: m >> i * 2 & 3]

instruction high
  in a, b: 4 x 32
  result 4 x 32
  lane when i % 2 == 0: a[i / 2 + 2]
  lane b[i / 2 + 2]
  features one
  emit %r = shufflevector <4 x i32> %a, <4 x i32> %b, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  also llvm.toy.high

instruction shift
  in a: 4 x 32
  imm n: 32 in 0..255
  result 4 x 32
  lane n < 32 ? a[i] << n : lit(0, 32)
  features one
  call llvm.toy.shift

instruction permute_zeroing
  in a: 4 x 32
  index p: 4 x 32
  result 4 x 32
  lane bit(p[i], 7) ? lit(0, 32) : pick(a, 0, 4, trunc(p[i], 2))
  features one
  call llvm.toy.permute

instruction addsub
  in a, b: 4 x 32
  result 4 x 32
  lane when i % 2 == 0: a[i] + b[i]
  lane a[i] - b[i]
  features one
  call llvm.toy.addsub
"""
SOURCES = (("toy.sem", SEM),)
CLASSES = {
    "add_8": (Membership("add"),),
    "add_16": (Membership("add"),),
    "shift": (
        Membership("constant", tuple((n,) for n in range(32, 256))),
        Membership("shl", tuple((n,) for n in range(31))),
    ),
}


def entries() -> Entries:
    found = read_entries(SEM, "toy.sem", check=False)
    instructions = tuple(replace(i, classes=CLASSES.get(i.name, ())) for i in found.instructions)
    return Entries(instructions, {**{i.call: i for i in instructions if i.call}, **found.also})


def same(a: Instruction, b: Instruction) -> bool:
    values = [{m.name: m.values[k] for m in a.immediates} for k in (0, -1)]
    return (
        a == b
        and a.classes == b.classes
        and all(a.lane(i, v) is b.lane(i, v) for v in values for i in range(a.lanes))
        and show_sem(a) == show_sem(b)
    )


def fails() -> Entries:
    raise AssertionError("the texts were read")


def load(folder: Path, read: Callable[[], Entries] = entries, key: str = "k") -> Entries:
    return indexed("toy", SOURCES, (key,), read, {**os.environ, "XDG_CACHE_HOME": str(folder)})


def signer() -> Signer:
    found = signer_at(key_path(os.environ))
    assert found is not None
    return found
