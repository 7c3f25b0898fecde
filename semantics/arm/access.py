"""Which operands an AArch64 instruction reads and writes; where in doubt, a read too many."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

# Instructions without a destination: what they are given is only read.
_ONLY_READS: Final = re.compile(
    r"st\w+|prfu?m|cmp|cmn|tst|f?ccmpe?|ccmn|fcmpe?|cbn?z|tbn?z|br|nop|hint|dmb|dsb|isb|brk|udf"
)
_TWO_DESTINATIONS: Final = frozenset({"ldp", "ldnp", "ldpsw", "ldxp", "ldaxp"})
# Accumulators, selections in place, and what writes a part of a register.
_READS_DESTINATION: Final = re.compile(
    r"[su]?ml[as]|[su]ml[as]l2?|sqdml[as]l2?|sqrdml[as]h|fml[as]l?2?|[su]abal?2?|[su]r?sra|s[lr]i"
    r"|[su]adalp|[su]dot|usdot|sudot|us?mmla|smmla|bf\w*dot|bfmmla|bsl|bit|bif|tbx|ins|movk|bfi"
    r"|bfxil|bfc|\w+n2|aes[ed]|sha\w+|sm3tt\w+|sm3partw\w|sm4e|suqadd|usqadd|cas\w*|f?cmla"
)
_FLAGS_WRITTEN: Final = re.compile(
    r"adds|subs|ands|bics|adcs|sbcs|negs|ngcs|cmp|cmn|tst|f?ccmpe?|ccmn|fcmpe?"
)
_FLAGS_READ: Final = re.compile(
    r"b\.\w+|f?csel|cs(?:inc|inv|neg|etm?)|c(?:inc|inv|neg)|f?ccmpe?|ccmn|adcs?|sbcs?|ngcs?"
)
_PART: Final = re.compile(r"\d*[bhsd]\[\]|\d+x[bhsd]\[\]")  # one element of a register


@dataclass(frozen=True, slots=True)
class Access:
    """How many leading operands are written, and whether these are also read; flags apart."""

    written: int
    reads_written: bool
    reads_flags: bool
    writes_flags: bool


@lru_cache(maxsize=16384)
def access(mnemonic: str, forms: tuple[str, ...]) -> Access:
    """Return the access of ``mnemonic`` with operands of the given forms in the order written."""
    none = not forms or _ONLY_READS.fullmatch(mnemonic) is not None or mnemonic[:2] == "b."
    kept = not none and (
        _READS_DESTINATION.fullmatch(mnemonic) is not None
        or _PART.fullmatch(forms[0]) is not None
        or (mnemonic in ("orr", "bic") and forms[1:2] == ("imm",) and not _general(forms[0]))
    )
    return Access(
        0 if none else 2 if mnemonic in _TWO_DESTINATIONS else 1,
        kept,
        _FLAGS_READ.fullmatch(mnemonic) is not None,
        _FLAGS_WRITTEN.fullmatch(mnemonic) is not None,
    )


def _general(form: str) -> bool:
    return form in ("x", "w")
