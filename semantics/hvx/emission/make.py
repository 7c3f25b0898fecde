"""Write the emissions: ``python -m semantics.hvx.emission.make hvx_q6_map.json`` prints the table
``emissions.tsv``: each entry is one call of its intrinsic, which the list names.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path

from frontends.llvm.linked import binding
from semantics.emission.sections import Learned, Section
from semantics.emission.table import Emission
from semantics.emission.writer import write
from semantics.hvx.emission.call import KINDS, call_line, operands
from semantics.hvx.importer.run import read_listing
from semantics.hvx.importer.spec import Intrinsic, with_constants


def main(arguments: Sequence[str]) -> int:
    """Print the table."""
    path = Path(arguments[0])
    data = path.read_bytes()
    entries, _, _ = read_listing(data, str(path))
    emissions = [_emission(e) for entry in entries for e in with_constants(entry)]
    command = "python -m semantics.hvx.emission.make"
    head = [
        f"how LLVM {binding.llvm_version()} says each intrinsic: {command}",
        f"input: sha256 {hashlib.sha256(data).hexdigest()}",
        f"entries {len(emissions)}, each a call of one intrinsic",
    ]
    sys.stdout.write(write(emissions, head))
    return 0


def _emission(e: Intrinsic) -> Emission:
    immediate = next((p for p in e.parameters if p.is_immediate), None)
    name, count = (immediate.name, len(immediate.legal)) if immediate else ("", 1)
    section = Section(immediate.legal if immediate else (), (call_line(e),))
    result = KINDS[e.result.c_type]
    learned = Learned(operands(e), result, name, count, count, (section,))
    return Emission(e.key, learned, True, (e.mnemonic,))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
