from isel.api.explain import explain as explain
from isel.api.optimize import Result as Result
from isel.api.optimize import optimize as optimize
from isel.api.optimize import windows as windows
from isel.api.verify import Verdict as Verdict
from isel.api.verify import verify as verify
from isel.errors import IselError as Error

__all__ = ["Error", "Result", "Verdict", "explain", "optimize", "verify", "windows"]
__version__: str
