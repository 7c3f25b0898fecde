"""``make costs``: make the shipped price tables again from llvm-mca."""

from __future__ import annotations

import sys

from semantics.arm.costs import make_costs as arm
from semantics.x86.costs import make_costs as x86

if __name__ == "__main__":
    named = sys.argv[1:]
    for made in (x86, arm):
        cpus = [cpu for cpu in named if cpu in made.TABLES] if named else made.TABLES
        if cpus:
            made.main(cpus)
