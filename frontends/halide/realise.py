"""From what a user names to a pipeline of the package: functions called, generators built,
autoschedulers applied.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import isclass
from pathlib import Path
from types import ModuleType
from typing import Final, Protocol, cast

from frontends.halide.package import (
    Code,
    HalideProblem,
    Parameter,
    Pipeline,
    PipelineFunction,
    Signature,
    halide,
    line_of,
)
from isel.errors import IselError, UnknownName, UsageProblem

_SCHEDULER: Final = "autoscheduler."
_TRUTH: Final = {"true": True, "1": True, "false": False, "0": False}


class _Kind(Protocol):
    """A type of the package; ``is_float`` tells of those of IEEE 754."""

    def bits(self) -> int: ...
    def is_bool(self) -> bool: ...
    def is_int(self) -> bool: ...
    def is_uint(self) -> bool: ...
    def is_float(self) -> bool: ...
    def is_bfloat(self) -> bool: ...
    def is_handle(self) -> bool: ...


class _Input(Protocol):
    """An ``ImageParam`` or a ``Param``, which has no dimensions."""

    def name(self) -> str: ...
    def type(self) -> _Kind: ...
    def dimensions(self) -> int: ...


class _Func(Protocol):
    """A ``Func``; ``defined`` tells whether it computes anything."""

    def name(self) -> str: ...
    def types(self) -> Sequence[_Kind]: ...
    def dimensions(self) -> int: ...
    def defined(self) -> bool: ...


class _Pipeline(Code, Protocol):
    def outputs(self) -> Sequence[_Func]: ...
    def apply_autoscheduler(self, target: object, autoscheduler_params: object) -> object: ...


class _Argument(Protocol):
    name: str
    type: _Kind
    dimensions: int


class _Generator(Protocol):
    """What a class decorated with ``@hl.generator`` makes; these are the methods that Halide's
    own build calls.
    """

    def autoscheduler(self) -> _Scheduler: ...
    def _get_arginfos(self) -> Sequence[_Info]: ...
    def _get_input_parameter(self, name: str) -> _Parameter: ...
    def _build_pipeline(self) -> _Pipeline: ...


class _Info(Protocol):
    name: str
    dir: object


class _Parameter(Protocol):
    def _to_argument(self) -> _Argument: ...


class _Scheduler(Protocol):
    name: str
    extra: object


@dataclass(frozen=True, slots=True)
class Recipe:
    """What to build: a function that returns ``(outputs, inputs)`` or a generator class, and the
    name of the compiled code.

    ``target`` is the Halide target that schedules are made for.  ``parameters`` are a generator's,
    by name, as text; those that begin with ``autoscheduler.`` are the autoscheduler's.
    ``autoscheduler`` is Halide's name of one, or empty for the schedule that the pipeline has.
    """

    function: PipelineFunction
    name: str
    target: str
    parameters: tuple[tuple[str, str], ...] = ()
    autoscheduler: str = ""

    @property
    def for_scheduler(self) -> dict[str, str]:
        """The autoscheduler's parameters."""
        return {
            k.removeprefix(_SCHEDULER): v for k, v in self.parameters if k.startswith(_SCHEDULER)
        }

    @property
    def for_generator(self) -> dict[str, str]:
        """The generator's parameters."""
        return {k: v for k, v in self.parameters if not k.startswith(_SCHEDULER)}


@dataclass(frozen=True, slots=True)
class _Made:
    code: _Pipeline
    arguments: tuple[object, ...]
    inputs: tuple[Parameter, ...]
    scheduler: str = ""


def realise(recipe: Recipe) -> Pipeline:
    """Call a pipeline function or build a generator, check what comes out and schedule it if an
    autoscheduler is named.

    Raises :class:`HalideProblem` with one line for whatever the user's code or Halide raises.
    """
    package = halide()
    name = recipe.name
    try:
        target = package.Target(recipe.target)
        wanted = _scheduler(recipe.autoscheduler, recipe.for_scheduler, package)
        with package.GeneratorContext(target, wanted):
            make = _generated if is_generator(recipe.function) else _called
            made = make(recipe, package)
        if made.scheduler:
            _load(made.scheduler, package)
            scheduler = _scheduler(made.scheduler, recipe.for_scheduler, package)
            made.code.apply_autoscheduler(target, scheduler)
    except IselError:
        raise
    except package.HalideError as problem:
        raise HalideProblem(f"Halide refuses '{name}': {line_of(problem)}") from None
    except Exception as problem:  # whatever the user's code raises
        what = f"{type(problem).__name__}: {line_of(problem)}"
        raise HalideProblem(f"'{name}' fails: {what}") from None
    outputs = tuple(p for func in made.code.outputs() for p in _results(func, name))
    return Pipeline(Signature(name, (*made.inputs, *outputs)), made.code, made.arguments)


def is_generator(found: object) -> bool:
    """Tell whether something is a class that ``@hl.generator`` or ``hl.alias`` has made."""
    return isclass(found) and issubclass(found, halide().Generator)


@contextmanager
def generators_found() -> Iterator[dict[str, PipelineFunction]]:
    """Yield what will hold the generators that are registered meanwhile, by name; a file that
    is loaded again registers them again.
    """
    registry = cast("dict[str, PipelineFunction]", halide()._generator_helpers._python_generators)
    before, found = dict(registry), dict[str, PipelineFunction]()
    try:
        yield found
    finally:
        found |= {name: made for name, made in registry.items() if name not in before}
        registry.clear()
        registry |= before


def _called(recipe: Recipe, package: ModuleType) -> _Made:
    name = recipe.name
    if recipe.for_generator:
        raise UsageProblem(
            f"'{name}' is a function, -p {next(iter(recipe.for_generator))} is for generators"
        )
    made = recipe.function()
    wanted = f"'{name}' is no pipeline: expected a function that returns (Func, [ImageParam, ...])"
    parts = made if isinstance(made, tuple) and len(made) > 1 else (None,)
    funcs = _funcs(parts[0], package)
    if not funcs:
        raise HalideProblem(f"{wanted}, it returns {type(made).__name__}")
    undefined = next((f.name() for f in funcs if not f.defined()), None)
    if undefined is not None:
        raise HalideProblem(f"'{name}' is no pipeline: its Func '{undefined}' is not defined")
    arguments: list[_Input] = []
    for part in parts[1:]:
        arguments.extend(part if isinstance(part, list | tuple) else [part])
    for a in arguments:
        if not isinstance(a, package.ImageParam | package.Param):
            raise HalideProblem(f"{wanted}, an argument is {type(a).__name__}")
    inputs = (
        _input(a.name(), a.type(), None if isinstance(a, package.Param) else a.dimensions(), name)
        for a in arguments
    )
    whole = parts[0] if isinstance(parts[0], package.Pipeline) else package.Pipeline(funcs)
    code = cast("_Pipeline", whole)
    return _Made(code, tuple(arguments), tuple(inputs), recipe.autoscheduler)


def _funcs(found: object, package: ModuleType) -> list[_Func]:
    """Return the outputs in what a function returned first, a ``Func``, several, or a
    ``Pipeline``; none of anything else.
    """
    if isinstance(found, package.Pipeline):
        return list(cast("_Pipeline", found).outputs())
    funcs = cast("list[_Func]", list(found) if isinstance(found, list | tuple) else [found])
    return funcs if all(isinstance(f, package.Func) for f in funcs) else []


def _generated(recipe: Recipe, package: ModuleType) -> _Made:
    parameters = {k: _value(recipe, k, v, package) for k, v in recipe.for_generator.items()}
    made = cast("_Generator", cast("type", recipe.function)(parameters))
    scheduler = made.autoscheduler()
    if scheduler.name:
        _load(scheduler.name, package)
    code = made._build_pipeline()
    infos = [i for i in made._get_arginfos() if i.dir == package.ArgInfoDirection.Input]
    arguments = tuple(made._get_input_parameter(i.name)._to_argument() for i in infos)
    scalar = package.ArgumentKind.InputScalar
    dimensions = (None if getattr(a, "kind", None) == scalar else a.dimensions for a in arguments)
    given = zip(arguments, dimensions, strict=True)
    inputs = (_input(a.name, a.type, d, recipe.name) for a, d in given)
    return _Made(code, arguments, tuple(inputs), scheduler.name)


def _value(recipe: Recipe, name: str, text: str, package: ModuleType) -> object:
    """Return a generator parameter's value; Halide itself takes any text but the empty one for
    true.
    """
    found = getattr(recipe.function, name, None)
    default = found._value if isinstance(found, package.GeneratorParam) else None
    try:
        if isinstance(default, bool):
            return _TRUTH[text.lower()]
        return type(default)(text) if isinstance(default, int | float) else text
    except (KeyError, ValueError):
        wanted = "true or false" if isinstance(default, bool) else "a number"
        raise UsageProblem(f"-p {name}={text}: expected {wanted}") from None


def _scheduler(name: str, extra: dict[str, str], package: ModuleType) -> object:
    given = (_known(name, package), extra) if name else ()
    return package.AutoschedulerParams(*given)


def _known(name: str, package: ModuleType) -> str:
    """Return Halide's spelling of an autoscheduler's name."""
    known = {p.stem.removeprefix("libautoschedule_"): p for p in _plugins(package)}
    if name.lower() not in known:
        raise UnknownName("autoscheduler", name, tuple(k.capitalize() for k in sorted(known)))
    return name.capitalize()


def _plugins(package: ModuleType) -> list[Path]:
    return sorted(Path(package.install_dir()).glob("lib*/libautoschedule_*.so"))


def _load(name: str, package: ModuleType) -> None:
    known = _known(name, package).lower()
    package.load_plugin(next(str(p) for p in _plugins(package) if p.stem.endswith(f"_{known}")))


def _results(func: _Func, name: str) -> list[Parameter]:
    kinds = [_dtype(t, f"the output of '{name}'") for t in func.types()]
    ends = [""] if len(kinds) == 1 else [f".{k}" for k in range(len(kinds))]
    named = ((f"{func.name()}{end}", kind) for end, kind in zip(ends, kinds, strict=True))
    return [Parameter(*x, func.dimensions(), output=True) for x in named]


def _input(label: str, kind: _Kind, dimensions: int | None, name: str) -> Parameter:
    """Return an input; ``dimensions`` of None is a scalar."""
    dtype = _dtype(kind, f"the argument '{label}' of '{name}'")
    return Parameter(label, dtype, dimensions or 0, scalar=dimensions is None)


def _dtype(kind: _Kind, what: str) -> str:
    names = (
        ("bool", kind.is_bool()),
        (f"int{kind.bits()}", kind.is_int()),
        (f"uint{kind.bits()}", kind.is_uint()),
        (f"bfloat{kind.bits()}", kind.is_bfloat()),
        (f"float{kind.bits()}", kind.is_float()),
        ("handle", kind.is_handle()),
    )
    found = next((name for name, has in names if has), None)
    if found is None:
        raise HalideProblem(f"{what} has a type that is not known")
    return found
