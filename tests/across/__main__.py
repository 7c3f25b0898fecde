"""``python -m tests.across``: a line a pair of versions of a kernel, then what was decided."""

from __future__ import annotations

import sys
import time
from collections import Counter
from statistics import median

from tests.across.compile import NAMES, compare

PAIRS = (("sse", "neon"), ("c", "sse"), ("c", "neon"), ("sse", "wrong"))


def main() -> int:
    """Compare all of them; returns 1 where a wrong port is proved."""
    write = sys.stdout.write
    count: Counter[tuple[str, str]] = Counter()
    seconds: list[float] = []
    for name in NAMES:
        for first, second in PAIRS:
            start = time.process_time()
            answer = compare(name, first, second)
            spent = time.process_time() - start
            kind = "planted" if second == "wrong" else "pairs"
            seconds += [spent] if kind == "pairs" else []
            count[kind, type(answer.verdict).__name__.lower()] += 1
            line = answer.line.partition(": ")[2]
            write(f"{name:18} {first:4} {second:5} {spent:5.1f} s  {line[:120]}\n")
    write(f"\n{'':8} proved refuted unknown\n")
    for kind in ("pairs", "planted"):
        numbers = (count[kind, w] for w in ("proved", "refuted", "unknown"))
        write(f"{kind:8} {' '.join(f'{n:6}' for n in numbers)}\n")
    write(f"CPU seconds a pair: median {median(seconds):.2f}, most {max(seconds):.1f}\n")
    return int(count["planted", "proved"] > 0)


if __name__ == "__main__":
    sys.exit(main())
