"""Versions of installed distributions, read off the names of their metadata folders.

``importlib.metadata`` reads the same and loads a parser of e-mail for it, which takes longer than
all else that ``isel --version`` does; it is asked where no folder has a name of the usual form.
"""

from __future__ import annotations

import os
import re
import sys
from typing import Final

MISSING: Final = "missing"
_SUFFIX: Final = ".dist-info"


def package_version(name: str) -> str:
    """Return the version of an installed distribution, or :data:`MISSING`.

    Its folder is called ``NAME-VERSION.dist-info``, runs of ``-``, ``_`` and ``.`` in its name
    written as one ``_`` (PyPA specifications, *Recording installed projects*).
    """
    wanted = _normal(name)
    for folder in sys.path:
        try:
            entries = os.listdir(folder or ".")
        except OSError:
            continue
        for entry in entries:
            project, dash, version = entry.removesuffix(_SUFFIX).rpartition("-")
            if dash and entry.endswith(_SUFFIX) and _normal(project) == wanted:
                return version
    return _look_up(name)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "_", name).lower()


def _look_up(name: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return MISSING
