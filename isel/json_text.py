"""JSON as its standard has it: a number that is none is an error of ours, not text that others
cannot read.
"""

from __future__ import annotations

import json
import sys
from functools import partial
from typing import Final

to_json: Final = partial(json.dumps, allow_nan=False)


def print_json(value: object) -> int:
    """Write a value to standard output; return the exit code of what is done."""
    sys.stdout.write(to_json(value, indent=2) + "\n")
    return 0
