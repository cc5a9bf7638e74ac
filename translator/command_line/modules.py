"""The module of a FILE:FUNCTION executed, its function found, the text of --args evaluated."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import os
import sys
from types import FunctionType, ModuleType
from typing import Any

from opcodes import OpcodesError
from translator.command_line.places import NoSuchPlace, Place


class CannotCall(OpcodesError):
    """A module that does not run, or arguments that do not evaluate or do not fit."""


def load_module(path: str) -> ModuleType:
    """The file as a module, executed: as part of its package if it is in one, else by its name alone, with
    its folder first on `sys.path`, as for a script."""
    if not os.path.isfile(path):
        reason = "Is a directory" if os.path.isdir(path) else "No such file or directory"
        raise NoSuchPlace(f"cannot read {path!r}: {reason}")
    folder, name = os.path.split(os.path.abspath(path))
    name = os.path.splitext(name)[0]
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, package = os.path.split(folder)
        name = f"{package}.{name}"
    sys.path.insert(0, folder)
    try:
        return _of_a_package(name, path) if "." in name else _alone(name, path)
    except (Exception, SystemExit) as error:
        if isinstance(error, OpcodesError):
            raise
        raise CannotCall(f"running {path!r} raised {_described(error)}") from None


def _of_a_package(name: str, path: str) -> ModuleType:
    module = importlib.import_module(name)
    if not os.path.samefile(module.__file__ or "", path):
        raise CannotCall(f"{path!r} is {name}, but {name} is imported from {module.__file__!r}")
    return module


def _alone(name: str, path: str) -> ModuleType:
    if name in sys.modules or name in sys.stdlib_module_names:
        name = f"{name} of opshift"  # a module of that name is there, and others use it
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise CannotCall(f"{path!r} is no module that can be run: give a .py file")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def find_function(module: ModuleType, place: Place) -> FunctionType:
    """The function that a Place names in its module, by attributes: "f", "Class.method"."""
    if place.function is None:
        raise NoSuchPlace(f"{place.path!r}: which function? Write {place.path}:FUNCTION")
    value: Any = module
    seen = ""
    for name in place.function.split("."):
        try:
            value = inspect.getattr_static(value, name)
        except AttributeError:
            where = f"{seen!r} in {place.path!r}" if seen else repr(place.path)
            raise NoSuchPlace(f"{where} has no {name!r}{_functions(value)}") from None
        value = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
        seen = f"{seen}.{name}" if seen else name
    if not isinstance(value, FunctionType):
        raise CannotCall(
            f"{seen} in {place.path!r} is a {type(value).__name__}, not a function written in Python"
        )
    return value


def _functions(owner: Any) -> str:
    names = [name for name, value in vars(owner).items() if isinstance(value, (FunctionType, type))]
    public = [name for name in names if not name.startswith("_")][:8]
    return f"; it has {', '.join(public)}" if public else ""


def evaluate_arguments(text: str, module: ModuleType) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """ "np.ones(3), key=2" as (args, kwargs), evaluated with the module's globals, and NumPy as np."""
    namespace = dict(vars(module))
    if "np" in text and "np" not in namespace:
        try:
            namespace["np"] = importlib.import_module("numpy")
        except ImportError:
            raise CannotCall(
                f"--args {text!r}: np is NumPy, which is not installed: pip install 'opshift[numpy]'"
            ) from None
    namespace["__collect"] = _collect
    try:
        call = ast.parse(f"__collect({text}\n)", "<--args>", "eval")
        if not (isinstance(call.body, ast.Call) and isinstance(call.body.func, ast.Name)):
            raise SyntaxError("write what stands between the parentheses of a call")
        found: tuple[tuple[Any, ...], dict[str, Any]] = eval(compile(call, "<--args>", "eval"), namespace)
    except (Exception, SystemExit) as error:
        raise CannotCall(f"--args {text!r} does not evaluate: {_described(error)}") from None
    return found


def _collect(*args: Any, **kwargs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    return args, kwargs


def check_arguments(function: FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """CannotCall if the function does not take these."""
    try:
        signature = inspect.signature(function, follow_wrapped=False)
        signature.bind(*args, **kwargs)
    except TypeError as error:
        raise CannotCall(f"{function.__qualname__}{signature} does not take these --args: {error}") from None


def _described(error: BaseException) -> str:
    name = type(error).__name__
    if isinstance(error, SyntaxError):
        where = f" ({error.filename!r}, line {error.lineno})" if error.filename and error.lineno else ""
        return f"{name}: {error.msg}{where}"
    text = " ".join(str(error).split())
    return f"{name}: {text}" if text else name
