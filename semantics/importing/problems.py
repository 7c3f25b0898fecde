"""Mistakes in a vendor's specification."""

from __future__ import annotations

from isel.errors import IselError


class SpecProblem(IselError):
    """A mistake in the vendor's file: where, in which intrinsic, what was found and expected."""

    def __init__(self, file: str, line: int, intrinsic: str, what: str) -> None:
        super().__init__(file, line, intrinsic, what)
        self.file, self.line, self.intrinsic, self.what = file, line, intrinsic, what

    def message(self) -> str:
        """Return ``file:line: error: intrinsic: what``."""
        subject = f"{self.intrinsic}: " if self.intrinsic else ""
        return f"{self.file}:{self.line}: error: {subject}{self.what}"
