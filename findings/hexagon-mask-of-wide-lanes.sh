#!/usr/bin/env bash
# LLVM 22.1 for Hexagon (llvmlite 0.50.0), and LLVM 19 alike: the bits of a comparison of 16- or 32-bit lanes as an integer.
#
# Valid input: %c = icmp slt <64 x i16> %v, zeroinitializer; %m = bitcast <64 x i1> %c to i64. HVX with 128-byte vectors.
# Guess:       bit k of %m is lane k, as the language reference says of a bitcast of <64 x i1> on a little-endian target.
# Behaviour:   each bit comes as often as a lane has bytes (a predicate of HVX has a bit a byte), and the upper half or three
#              quarters of the lanes are lost. Of bytes the integer is right. With lanes 2, 4, 5, 9 and 12 negative (0x1234):
#                  lanes of  8 bits: 0x1234
#                  lanes of 16 bits: 0x30c0f30
#                  lanes of 32 bits: 0xff0f00
# Needs python3 with venv and, unless qemu-hexagon is there, apt-get and dpkg of Debian 12 (qemu-user 7.2). Exits with 1 if this changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip --quiet install llvmlite==0.50.0 ziglang==0.17.0
qemu=$(command -v qemu-hexagon || true)
if [ -z "$qemu" ]; then
    apt-get -qq download qemu-user
    dpkg -x qemu-user_*.deb qemu
    qemu=$folder/qemu/usr/bin/qemu-hexagon
fi
cat >start.s <<'ASSEMBLY'
	.globl _start
_start:
	call f
	r6 = #94 // exit_group
	trap0(#1)
ASSEMBLY
venv/bin/python -m ziglang cc -target hexagon-linux-musl -c start.s -o start.o
cat >look.py <<'PYTHON'
"""Put the integer of a comparison together from bytes, each of which a program ends with."""
import subprocess
import sys

import llvmlite.binding as llvm

LANES = 0x1234  # the negative ones
SEEN = {8: 0x1234, 16: 0x30C0F30, 32: 0xFF0F00}
MODULE = """\
target triple = "hexagon-unknown-linux-musl"
@x = global <{n} x i{w}> <{values}>, align 128
define i32 @f() {{
  %v = load volatile <{n} x i{w}>, ptr @x, align 128
  %c = icmp slt <{n} x i{w}> %v, zeroinitializer
  %m = bitcast <{n} x i1> %c to i{n}
  %s = lshr i{n} %m, {shift}
  %b = trunc i{n} %s to i8
  %r = zext i8 %b to i32
  ret i32 %r
}}
"""
llvm.initialize_all_targets()
llvm.initialize_all_asmprinters()
target = llvm.Target.from_triple("hexagon-unknown-linux-musl")
machine = target.create_target_machine(
    cpu="hexagonv66", features="+hvxv66,+hvx-length128b,-small-data", opt=2
)


def byte(n: int, w: int, shift: int) -> int:
    values = ", ".join(f"i{w} {-(LANES >> k & 1)}" for k in range(n))
    module = llvm.parse_assembly(MODULE.format(n=n, w=w, values=values, shift=shift))
    module.verify()
    with open("f.o", "wb") as out:
        out.write(machine.emit_object(module))
    link = [sys.executable, "-m", "ziglang", "ld.lld", "-o", "f", "f.o", "start.o"]
    subprocess.run(link, check=True)
    return subprocess.run([sys.argv[1], "-cpu", "v67", "./f"], check=False).returncode


print("LLVM", ".".join(map(str, llvm.llvm_version_info)))
seen = {w: sum(byte(1024 // w, w, 8 * k) << 8 * k for k in range(128 // w)) for w in SEEN}
for w, m in seen.items():
    print(f"lanes of {w:2} bits: {m:#x}")
sys.exit(seen != SEEN)
PYTHON
"$qemu" --version | head -1
venv/bin/python look.py "$qemu"
