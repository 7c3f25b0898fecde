"""Which operands an x86 instruction reads and writes; where in doubt, a read too many."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

# AT&T mnemonics whose last operand is only read.
_ONLY_READS = re.compile(
    r"^(?:cmp[bwlq]|test[bwlq]|bt[wlq]|v?u?comis[sd]|v?ptest|vtestp[sd]|k(?:or)?test[bwdq]|push[wlq]?|prefetch\w*|nop[wlq]?|(?:cl)?flush\w*|clwb)$"
)
# Instructions without "v" whose destination is only written.
_LEGACY_WRITES = re.compile(
    r"^(?:mov(?!s[sd]$|[hl]p[sd]$|lhps$|hlps$)\w*|lea[wlq]|pop[wlq]?|set[a-z]+|pshuf(?:d|lw|hw)|pabs[bwd]|pmov\w+|p?mov?mskp?\w*|cvt\w+|sqrtp[sd]|rcpps|rsqrtps|roundp[sd]"
    r"|lzcnt[wlq]|tzcnt[wlq]|popcnt[wlq]|bs[fr][wlq]|blsr[lq]|blsi[lq]|blsmsk[lq]|andn[lq]|bextr[lq]|bzhi[lq]|s[ahr][lr]x[lq]|rorx[lq]|pdep[lq]|pext[lq]|mulx[lq]"
    r"|pextr[bwdq]|extractps|lddqu|phminposuw|aesimc|aeskeygenassist|k[a-z]+[bwdq]|kunpck\w+|crc32\w*_)$"
)
# Instructions with "v" whose destination is also read; vpmovm2b and vpmovm2w wait for it (timed on
# a Xeon of family 6, model 207: three cycles each into one register, less than one into four).
_VEX_READS_DESTINATION = re.compile(
    r"^v(?:fn?m(?:add|sub)\w+|fmaddsub\w+|fmsubadd\w+|pdp\w+|pmadd52\w+|pternlog[dq]|perm[it]2\w+|psh[lr]dv[wdq]|fixupimm\w+|p?gather\w+|pmovm2[bw]|dpbf16ps|f?cmaddc?\w+|sha512\w+|sm3\w+)$"
)
_FLAGS_READ = re.compile(r"^(?:set[a-z]+|cmov[a-z]+|adc[bwlqx]*|sbb[bwlq]?|rc[lr][bwlq]?)$")
_FLAGS_WRITTEN = re.compile(
    r"^(?:add|sub|and|or|xor|cmp|test|inc|dec|neg|adc|sbb|sh[lr]|sa[rl]|ro[lr]|imul|mul|bt[src]?|shld|shrd|lzcnt|tzcnt|popcnt|bs[fr]|bls\w+|andn|bextr|bzhi)[bwlq]$"
    r"|^(?:v?u?comis[sd]|v?ptest|vtestp[sd]|k(?:or)?test[bwdq])$"
)
_WIDE_MULTIPLY = re.compile(r"^(?:mul|imul|div|idiv)[wlq]$")
_SIGN_SPREAD = frozenset({"cqto", "cltd", "cwtd"})
_CONDITION_MOVE_OF_ONE = re.compile(r"^imul[wlq]$")


@dataclass(frozen=True, slots=True)
class Access:
    """How the last operand (AT&T order) is used, and what is used without being written out."""

    writes_last: bool
    reads_last: bool
    implicit_reads: tuple[str, ...] = ()
    implicit_writes: tuple[str, ...] = ()


@lru_cache(maxsize=16384)
def access(mnemonic: str, forms: tuple[str, ...]) -> Access:
    """Return the access of ``mnemonic`` with operands of the given forms in AT&T order."""
    flags_in = ("flags",) if _FLAGS_READ.match(mnemonic) else ()
    flags_out = ("flags",) if _FLAGS_WRITTEN.match(mnemonic) else ()
    if mnemonic in _SIGN_SPREAD:
        return Access(False, False, ("rax",), ("rdx",))
    if mnemonic in {"cltq", "cwtl", "cbtw"}:
        return Access(False, False, ("rax",), ("rax",))
    if len(forms) == 1 and _WIDE_MULTIPLY.match(mnemonic):
        read = ("rax", "rdx") if "div" in mnemonic else ("rax",)
        return Access(False, False, read, ("rax", "rdx", *flags_out))
    if "pcmpestr" in mnemonic or "pcmpistr" in mnemonic:
        lengths = ("rax", "rdx") if "pcmpestr" in mnemonic else ()
        return Access(False, False, lengths, ("flags", "rcx" if mnemonic.endswith("i") else "v0"))
    if _ONLY_READS.match(mnemonic) or not forms:
        return Access(False, False, flags_in, flags_out)
    return Access(True, _reads_destination(mnemonic, len(forms)), flags_in, flags_out)


def _reads_destination(mnemonic: str, count: int) -> bool:
    if mnemonic.startswith("v"):
        return bool(_VEX_READS_DESTINATION.match(mnemonic))
    if count == 3 and _CONDITION_MOVE_OF_ONE.match(mnemonic):
        return False
    return not _LEGACY_WRITES.match(mnemonic)
