"""``python -m tests.fixed_point [--cpu hexagonv66] [--bits 1024] [--only REGEX] [--programs]``: the
table of rows; exit code 1 if one costs more than LLVM's own code.
"""

from __future__ import annotations

import argparse
import re
import sys

from tests.fixed_point.judge import CPU, Judged, judge, table
from tests.fixed_point.rows import rows


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fixed_point")
    parser.add_argument("--bits", type=int, nargs="+", default=[128, 256, 512])
    parser.add_argument("--only", default="", help="a regular expression for names")
    parser.add_argument("--cpu", default=CPU)
    parser.add_argument("--programs", action="store_true", help="print the code as well")
    arguments = parser.parse_args()
    found: list[Judged] = []
    with judge(arguments.cpu) as judged:
        for row in rows():
            if re.search(arguments.only, row.name):
                for bits in arguments.bits:
                    found.append(judged.judge(row, bits))
                    if arguments.programs:
                        print(
                            f"# {row.name}, {bits} bits", *found[-1].program, sep="\n", flush=True
                        )
    print(table(found), end="")
    return int(any(f.cost > f.llvm for f in found))


sys.exit(main())
