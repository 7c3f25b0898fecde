"""Every error a user can meet, each carrying the data that its message needs."""

from __future__ import annotations


class IselError(Exception):
    """A mistake in the input or the surroundings; printed as one line, exit code 1."""

    def message(self) -> str:
        """Return the line to print, without the program's name."""
        return super().__str__()

    def __str__(self) -> str:
        return self.message()


class SyntaxProblem(IselError):
    """Text that cannot be read: what is wrong, the text, and the position in it (0-based)."""

    def __init__(self, what: str, text: str, position: int, file: str = "<text>") -> None:
        super().__init__(what)
        self.what = what
        self.text = text
        self.position = min(position, len(text))
        self.file = file

    @property
    def line(self) -> int:
        """The line of the mistake, from 1."""
        return self.text.count("\n", 0, self.position) + 1

    @property
    def column(self) -> int:
        """The column of the mistake, from 1."""
        return self.position - (self.text.rfind("\n", 0, self.position) + 1) + 1

    def message(self) -> str:
        """Return ``file:line:col: error: what``, the source line and a caret."""
        line = self.text.splitlines()[self.line - 1] if self.text else ""
        caret = " " * (self.column - 1) + "^"
        return f"{self.file}:{self.line}:{self.column}: error: {self.what}\n{line}\n{caret}"


class UnknownName(IselError):
    """A name that is not known, with the nearest that is."""

    def __init__(self, kind: str, name: str, known: tuple[str, ...] = ()) -> None:
        super().__init__(kind, name)
        self.kind = kind
        self.name = name
        self.known = known

    def message(self) -> str:
        """Return one line, with a suggestion where one is near."""
        import difflib

        near = difflib.get_close_matches(self.name, self.known, 1)
        return f"unknown {self.kind} '{self.name}'" + (
            f", did you mean '{near[0]}'?" if near else ""
        )


class BadModule(IselError):
    """A module that LLVM cannot read or that does not verify; ``line`` and ``column`` count
    from 1, 0 where unknown.
    """

    def __init__(self, file: str, line: int, column: int, what: str, source: str = "") -> None:
        super().__init__(file, line, column, what, source)
        self.file = file
        self.line = line
        self.column = column
        self.what = what
        self.source = source

    def message(self) -> str:
        """Return ``file:line:col: error: what`` and, where the place is known, its line and a
        caret.
        """
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        head = f"{place}: error: {self.what}"
        if not self.source or not self.column:
            return head
        return f"{head}\n{self.source}\n{' ' * (self.column - 1)}^"


class TooNew(IselError):
    """Something that an older version of LLVM cannot be told."""

    def __init__(self, what: str, version: int) -> None:
        super().__init__(what, version)
        self.what = what
        self.version = version

    def message(self) -> str:
        """Return one line."""
        return f"LLVM {self.version} does not know {self.what}"


class UsageProblem(IselError):
    """A command line that cannot be obeyed."""


class FileProblem(IselError):
    """A file or folder that cannot be read or written, and why."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(path, why)
        self.path = path
        self.why = why

    def message(self) -> str:
        """Return ``path: error: why``."""
        return f"{self.path}: error: {self.why}"


def file_problem(path: str, error: OSError) -> FileProblem:
    """Say in words why the operating system refused ``path``."""
    return FileProblem(path, (error.strerror or str(error)).lower())


def at_the_edge(error: IselError, program: str = "isel") -> str:
    """Return the text for standard error: the program's name, the place if there is one, what
    is wrong.
    """
    message = error.message()
    located = ": error: " in message.split("\n", 1)[0]
    return f"{program}: {message}" if located else f"{program}: error: {message}"
