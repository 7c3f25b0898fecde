"""What the page asks for: code, a CPU and an effort; checked where it comes in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qs

from isel.cli.limits import SERVE_EFFORTS, SERVE_LETTERS
from isel.errors import UnknownName, UsageProblem

STEP: Final = "\t"  # begins a line of the process that answers, which says how far it is
EXAMPLE: Final = """\
#include <stdint.h>

void q15(int16_t *restrict out, const int16_t *restrict left,
         const int16_t *restrict right, int n) {
  for (int i = 0; i < n; i++)
    out[i] = (int16_t)((left[i] * right[i] + (1 << 14)) >> 15);
}
"""


@dataclass(frozen=True, slots=True)
class Request:
    """Code in C or as LLVM IR, the CPU that it is for and the effort of the search."""

    code: str = EXAMPLE
    cpu: str = "sapphirerapids"
    effort: int = 1

    @property
    def is_ir(self) -> bool:
        """Tell LLVM IR from C: it defines or declares functions by these words."""
        starts = ("define ", "target ", "source_filename", "; ModuleID", "declare ")
        return any(line.startswith(starts) for line in self.code.splitlines())


def read_request(body: bytes, cpus: tuple[str, ...]) -> Request:
    """Return what a form says; raises :class:`isel.errors.IselError`."""
    fields = parse_qs(body.decode(errors="replace"), keep_blank_values=True)
    given = {name: values[-1] for name, values in fields.items()}
    code = given.get("code", "").replace("\r\n", "\n")
    if not code.strip():
        raise UsageProblem("there is no code")
    if len(code) > SERVE_LETTERS:
        raise UsageProblem(f"the code has {len(code)} letters, at most {SERVE_LETTERS} are taken")
    cpu, effort = given.get("cpu", ""), given.get("effort", "1")
    if cpu not in cpus:
        raise UnknownName("CPU", cpu, cpus)
    if effort not in map(str, range(SERVE_EFFORTS + 1)):
        raise UsageProblem(f"effort '{effort}': expected a number from 0 to {SERVE_EFFORTS}")
    return Request(code, cpu, int(effort))
