"""Making functions, and imports."""

from __future__ import annotations

from types import CellType, CodeType, FunctionType
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.real.annotations import annotate_function, move_annotations
from translator.real.caller import RealCaller
from translator.real.exceptions import get_traceback, set_traceback
from translator.real.foreign import foreign_function, foreign_of
from translator.real.names import LazyImportType
from translator.sentinels import NULL

DEFAULTS, KEYWORD_DEFAULTS, ANNOTATIONS, CLOSURE, ANNOTATE = 1, 2, 4, 8, 16


class RealFunctions(RealCaller):
    """MAKE_FUNCTION, IMPORT_NAME."""

    frame: Any

    def make_function(self, code: Any, qualname: Any) -> Any:
        """A function object of the host."""
        empty = tuple([CellType() for _ in code.co_freevars]) or None
        if type(code) is CodeType:
            function = FunctionType(code, self.frame.globals, None, None, empty)
        else:
            function = self.make_foreign(code, self.frame.globals, empty)
        if qualname is not NULL:
            function.__qualname__ = qualname
        return function

    def make_foreign(self, code: Any, globals_: Any, closure: Any) -> Any:
        """A function of another CPython's bytecode."""
        kind, skip = type(self), self.skip
        return foreign_function(code, globals_, closure, lambda: kind(skip=skip))  # type: ignore[call-arg]

    def set_function_attribute(self, function: Any, flag: int, value: Any) -> Any:
        """The function with the attribute; with a closure it is another object."""
        if flag == DEFAULTS:
            function.__defaults__ = value
        elif flag == KEYWORD_DEFAULTS:
            function.__kwdefaults__ = value
        elif flag == ANNOTATIONS:
            function.__annotations__ = (
                dict(zip(value[::2], value[1::2])) if isinstance(value, tuple) else value
            )
        elif flag == ANNOTATE:
            if self.frame.prepared.program.table.facts["annotate_qualname"]:
                value.__qualname__ = f"{function.__qualname__}.__annotate__"
            annotate_function(function, value)
        else:
            old = function
            foreign = foreign_of(old.__code__)
            if foreign is None:
                function = FunctionType(old.__code__, old.__globals__, None, old.__defaults__, value)
            else:
                function = self.make_foreign(foreign, old.__globals__, value)
                function.__defaults__ = old.__defaults__
            function.__kwdefaults__ = old.__kwdefaults__
            function.__qualname__ = old.__qualname__
            move_annotations(old, function)
        return function

    def import_name(self, name: str, fromlist: Any, level: Any, mode: str) -> Any:
        """By the `__import__` of the running function's builtins."""
        frame = self.frame
        function = "__lazy_import__" if mode == "lazy" else "__import__"
        try:
            importer = frame.function.__builtins__[function]
        except KeyError:
            importer = NULL
        if importer is NULL:
            raise ImportError(f"{function} not found")
        namespace = frame.namespace
        if mode == "lazy":  # it looks at its caller
            return self.call_in_frame(importer, [name, frame.globals, namespace, fromlist, level], {})
        return importer(name, frame.globals, namespace, fromlist, level)

    def import_from(self, module: Any, name: str) -> Any:
        """The attribute; what the host does and says if there is none."""
        lazy = type(module) is LazyImportType
        if not lazy:
            try:
                return getattr(module, name)
            except AttributeError:
                pass
        importer = "__lazy_import__" if lazy else "__import__"
        namespace: dict[str, Any] = {"__builtins__": {importer: lambda *_: module}}
        source = f"from module import {name} as found"
        execute("lazy " + source if lazy else source, namespace, namespace)
        return namespace["found"]

    def import_star(self, module: Any) -> None:
        """`from module import *`."""
        namespace = self.frame.namespace
        scope = {"__builtins__": {"__import__": lambda *_: module}}
        execute("from module import *", scope, namespace)


def execute(source: str, globals_: dict[str, Any], namespace: Any) -> None:
    """What the host does for a statement; no traceback shows where it did it."""
    try:
        exec(compile(source, __file__, "exec"), globals_, namespace)
    except BaseException as exception:
        set_traceback(exception, get_traceback(exception).tb_next.tb_next)
        raise exception
