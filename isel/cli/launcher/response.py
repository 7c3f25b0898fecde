"""Response files: ``@FILE`` stands for the words in a file, quoted as GNU tools quote them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

_DEEPEST: Final = 16
_BLANKS: Final = " \t\r\n\f\v\0"


def expand(words: list[str], depth: int = 0) -> list[str]:
    """Return the words with response files read; one that cannot be read stays a word, as with
    clang.  Raises :class:`RecursionError`.
    """
    if depth > _DEEPEST:
        raise RecursionError
    found: list[str] = []
    for word in words:
        text = _text(word[1:]) if word.startswith("@") else None
        found += [word] if text is None else expand(split(text), depth + 1)
    return found


def _text(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8-sig", errors="surrogateescape") as file:
            return file.read()
    except (OSError, ValueError):
        return None


def split(text: str) -> list[str]:
    """Return the words of a response file as LLVM's ``TokenizeGNUCommandLine`` does: a
    backslash takes the next character in quotes, too.
    """
    words: list[str] = []
    word: list[str] = []
    quote = ""
    rest = iter(text)
    for c in rest:
        if c == "\\":
            word.append(next(rest, ""))
        elif c == quote:
            quote = ""
        elif quote:
            word.append(c)
        elif c in "'\"":
            quote = c
        elif c in _BLANKS:
            words.append("".join(word))
            word = []
        else:
            word.append(c)
    return [w for w in (*words, "".join(word)) if w]
