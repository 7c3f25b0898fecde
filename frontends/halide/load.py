"""``FILE.py:PIPELINE`` to the function or the generator class that it names."""

from __future__ import annotations

import sys
import traceback
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from frontends.halide.package import HalideProblem, PipelineFunction, halide
from frontends.halide.realise import generators_found
from isel.errors import FileProblem, IselError, UnknownName, UsageProblem, file_problem


def load_pipeline(place: str) -> tuple[str, PipelineFunction]:
    """Return the name and the function of ``FILE.py:PIPELINE``, or a generator by the name of its
    class or by its registered one.

    The file is run as a module; its folder is importable meanwhile.  Raises :class:`UsageProblem`
    for a place of another form, :class:`FileProblem` for a file that cannot be read,
    :class:`HalideProblem` for one that does not import, with the line at fault, and
    :class:`UnknownName` for a name that is not in it.
    """
    file, colon, name = place.rpartition(":")
    if not colon or not file.endswith(".py") or not name.isidentifier():
        raise UsageProblem(f"'{place}' names no pipeline, expected FILE.py:PIPELINE")
    halide()
    with generators_found() as generators:
        module = _module(file)
    found = getattr(module, name, None) or generators.get(name)
    if found is None:
        called = ((k, getattr(v, "__module__", "")) for k, v in vars(module).items() if callable(v))
        own = tuple(k for k, home in called if home == module.__name__)
        raise UnknownName("pipeline", name, own)
    if not callable(found):
        what = f"expected a function, it is {type(found).__name__}"
        raise HalideProblem(f"'{name}' of {file} is no pipeline: {what}")
    return name, found


def _module(file: str) -> ModuleType:
    path = Path(file)
    try:
        path.read_bytes()
    except OSError as problem:
        raise file_problem(file, problem) from None
    spec = spec_from_file_location(f"isel_pipelines_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise FileProblem(file, "is no Python file")
    module = module_from_spec(spec)
    sys.path.insert(0, str(path.parent.resolve()))
    try:
        spec.loader.exec_module(module)
    except SyntaxError as problem:
        place = f"{file}:{problem.lineno or 1}:{problem.offset or 1}"
        raise FileProblem(place, f"does not import: {problem.msg}") from None
    except IselError:
        raise
    except (Exception, SystemExit) as problem:  # whatever the user's code raises
        frames = reversed(traceback.extract_tb(problem.__traceback__))
        line = next((f.lineno for f in frames if f.filename == module.__file__), 1)
        what = " ".join(f"{type(problem).__name__}: {problem}".split())
        raise FileProblem(f"{file}:{line}", f"does not import: {what}") from None
    finally:
        sys.path.remove(str(path.parent.resolve()))
    return module
