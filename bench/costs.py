"""``make costs``: make the shipped price tables again from llvm-mca."""

from __future__ import annotations

import sys

from semantics.x86.costs.make_costs import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
