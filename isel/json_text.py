"""JSON as its standard has it: a number that is none is an error of ours, not text that others
cannot read.
"""

from __future__ import annotations

import json
from functools import partial
from typing import Final

to_json: Final = partial(json.dumps, allow_nan=False)
