"""``python -m tests.batch --kills N --seed S``: batches that are killed and taken up, and run
by two Dask workers; prints the totals.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.batch.inputs import make
from tests.batch.run import Batch, run


def main() -> int:
    """Run the battery; 1 where something was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.batch")
    parser.add_argument("--random", type=int, default=40, help="modules of random functions")
    parser.add_argument("--functions", type=int, default=2, help="in a module of random functions")
    parser.add_argument("--kernels", type=int, default=20, help="C kernels of the benchmark")
    parser.add_argument("--examples", type=int, default=10)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--effort", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        inputs = make(
            Path(folder),
            arguments.seed,
            random=arguments.random,
            functions=arguments.functions,
            kernels=arguments.kernels,
            examples=arguments.examples,
        )
        batch = Batch(
            Path(folder), (*inputs, "-mcpu=sapphirerapids", f"--effort={arguments.effort}")
        )
        totals = run(batch, arguments.seed, arguments.kills, progress=True)
    print(f"seed {arguments.seed}, effort {arguments.effort}", *totals.lines(), sep="\n")
    return 1 if totals.problems else 0


if __name__ == "__main__":
    sys.exit(main())
