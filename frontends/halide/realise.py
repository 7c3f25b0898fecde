"""From what a user names to a pipeline of the package: functions called, generators built,
autoschedulers applied.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from inspect import isclass
from pathlib import Path
from types import ModuleType
from typing import Final, Protocol, cast

from frontends.halide.package import (
    Code,
    Function,
    HalideProblem,
    Input,
    Kind,
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


class _Argument(Protocol):
    name: str
    type: Kind
    dimensions: int


class _Generator(Protocol):
    """What a class decorated with ``@hl.generator`` makes; these are the methods that Halide's
    own build calls.
    """

    def autoscheduler(self) -> _Scheduler: ...
    def _get_arginfos(self) -> Sequence[_Info]: ...
    def _get_input_parameter(self, name: str) -> _Parameter: ...
    def _build_pipeline(self) -> Code: ...


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
    code: Code
    arguments: tuple[object, ...]
    inputs: tuple[Parameter, ...]
    scheduler: str = ""
    extra: dict[str, str] = field(default_factory=dict)


def realise(recipe: Recipe) -> Pipeline:
    """Call a pipeline function or build a generator, check what comes out and schedule it if an
    autoscheduler is named.

    Raises :class:`HalideProblem` with one line for whatever the user's code or Halide raises.
    """
    package = halide()
    name = recipe.name
    try:
        with package.GeneratorContext(
            package.Target(recipe.target),
            _scheduler(recipe.autoscheduler, recipe.for_scheduler, package),
        ):
            made = (
                _generated(recipe, package)
                if is_generator(recipe.function)
                else _called(recipe, package)
            )
        if made.scheduler:
            _load(made.scheduler, package)
            made.code.apply_autoscheduler(
                package.Target(recipe.target), _scheduler(made.scheduler, made.extra, package)
            )
    except IselError:
        raise
    except package.HalideError as problem:
        raise HalideProblem(f"Halide refuses '{name}': {line_of(problem)}") from None
    except Exception as problem:  # whatever the user's code raises
        raise HalideProblem(
            f"'{name}' fails: {type(problem).__name__}: {line_of(problem)}"
        ) from None
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
    arguments: list[Input] = []
    for part in parts[1:]:
        arguments.extend(part if isinstance(part, list | tuple) else [part])
    for a in arguments:
        if not isinstance(a, package.ImageParam | package.Param):
            raise HalideProblem(f"{wanted}, an argument is {type(a).__name__}")
    inputs = (
        _input(a.name(), a.type(), None if isinstance(a, package.Param) else a.dimensions(), name)
        for a in arguments
    )
    code = cast(
        "Code", parts[0] if isinstance(parts[0], package.Pipeline) else package.Pipeline(funcs)
    )
    return _Made(code, tuple(arguments), tuple(inputs), recipe.autoscheduler, recipe.for_scheduler)


def _funcs(found: object, package: ModuleType) -> list[Function]:
    """Return the outputs in what a function returned first, a ``Func``, several, or a
    ``Pipeline``; none of anything else.
    """
    if isinstance(found, package.Pipeline):
        return list(cast("Code", found).outputs())
    funcs = cast("list[Function]", list(found) if isinstance(found, list | tuple) else [found])
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
    inputs = (
        _input(
            a.name,
            a.type,
            None if getattr(a, "kind", None) == scalar else a.dimensions,
            recipe.name,
        )
        for a in arguments
    )
    return _Made(code, arguments, tuple(inputs), scheduler.name, recipe.for_scheduler)


def _value(recipe: Recipe, name: str, text: str, package: ModuleType) -> object:
    """Return a generator parameter's value; Halide itself takes any text but the empty one for
    true.
    """
    found = getattr(recipe.function, name, None)
    default = found._value if isinstance(found, package.GeneratorParam) else None
    try:
        return (
            _TRUTH[text.lower()]
            if isinstance(default, bool)
            else type(default)(text)
            if isinstance(default, int | float)
            else text
        )
    except (KeyError, ValueError):
        raise UsageProblem(
            f"-p {name}={text}: expected "
            f"{'true or false' if isinstance(default, bool) else 'a number'}"
        ) from None


def _scheduler(name: str, extra: dict[str, str], package: ModuleType) -> object:
    return (
        package.AutoschedulerParams(_known(name, package), extra)
        if name
        else package.AutoschedulerParams()
    )


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


def _results(func: Function, name: str) -> list[Parameter]:
    kinds = [_dtype(t, f"the output of '{name}'") for t in func.types()]
    return [
        Parameter(
            f"{func.name()}{'' if len(kinds) == 1 else f'.{k}'}",
            kind,
            func.dimensions(),
            output=True,
        )
        for k, kind in enumerate(kinds)
    ]


def _input(label: str, kind: Kind, dimensions: int | None, name: str) -> Parameter:
    """Return an input; ``dimensions`` of None is a scalar."""
    return Parameter(
        label,
        _dtype(kind, f"the argument '{label}' of '{name}'"),
        dimensions or 0,
        scalar=dimensions is None,
    )


def _dtype(kind: Kind, what: str) -> str:
    bits = kind.bits()
    if kind.is_bool():
        return "bool"
    names = (
        ("int", kind.is_int()),
        ("uint", kind.is_uint()),
        ("bfloat", kind.is_bfloat()),
        ("float", kind.is_float()),
    )
    for prefix, has in names:
        if has:
            return f"{prefix}{bits}"
    if kind.is_handle():
        return "handle"
    raise HalideProblem(f"{what} has a type that is not known")
