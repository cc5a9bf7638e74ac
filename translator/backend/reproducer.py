"""A small Python file that shows a backend's failure again: the graph as code, and inputs like those seen.

It is written to the folder that OPSHIFT_REPRODUCERS names, or to a temporary one.
"""

from __future__ import annotations

import importlib
import math
import operator
import os
import tempfile
from pathlib import Path
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.graph import Graph, Node, expression, index_text, target_name

#: arrays up to so many elements are written down with their values
_FEW = 64
_folder: str | None = None

_TEMPLATE = '''"""The backend {backend} failed on this graph: {why}

Seen at {where}. Run it with Python: it fails in the same way if the failure does not depend on data that is
not written here.
"""
{imports}
import translator


def graph({parameters}):
{body}


{arrange}inputs = [
{inputs}]
print(translator.compile(graph, backend={name}, fullgraph=True)(*inputs))
'''


def folder() -> str:
    """Where reproducers are written."""
    global _folder
    asked = os.environ.get("OPSHIFT_REPRODUCERS")
    if asked:
        os.makedirs(asked, exist_ok=True)
        return asked
    if _folder is None or not os.path.isdir(_folder):
        _folder = tempfile.mkdtemp(prefix="opshift-")
    return _folder


def write_reproducer(backend: Any, graph: Graph, inputs: Any, why: str) -> str:
    """The path of a new file. Raises OSError."""
    function = graph.place.function if graph.place is not None else "graph"
    stem = "".join(char if char.isalnum() else "_" for char in function).strip("_") or "graph"
    place = folder()
    for number in range(1, 10_000):
        path = os.path.join(place, f"{stem}_{number}.py")
        try:
            with open(path, "x", encoding="utf-8") as file:
                file.write(reproducer(backend, graph, inputs, why))
            return path
        except FileExistsError:
            continue
    raise OSError(f"{place} is full")


def reproducer(backend: Any, graph: Graph, inputs: Any, why: str) -> str:
    """The text of the file."""
    writer = _Writer()
    parameters = ", ".join(node.name for node in graph.placeholders)
    body = [f"    {writer.statement(node)}" for node in graph.operations]
    body.append(f"    return {writer.value(graph.nodes[-1].args[0])}")
    values = "".join(f"    {writer.value(value)},\n" for value in inputs)
    arrange, name = writer.backend(backend)
    lines = [
        f"missing_{number} = None  # {each}: put it in here\n"
        for number, each in enumerate(writer.missing, 1)
    ]
    arrange = "".join(lines) + arrange
    where = "a graph of no function"
    if graph.place is not None:
        line = next((node.line for node in graph.operations if node.line), None)
        where = f"{graph.place.filename}:{line}, in {graph.place.function}"
    return _TEMPLATE.format(
        backend=name,
        why=why.replace("\\", "\\\\").replace('"""', "'''"),
        where=where.replace("\\", "\\\\"),
        imports="".join(f"import {each}\n" for each in sorted(writer.modules)),
        parameters=parameters,
        body="\n".join(body),
        inputs=values,
        arrange=arrange,
        name=name,
    )


class _Writer:
    """Writes values as Python that makes them again, and notes which modules that needs."""

    def __init__(self) -> None:
        self.modules: set[str] = set()
        #: what cannot be made again, as text
        self.missing: list[str] = []

    def statement(self, node: Node) -> str:
        if node.target is operator.setitem:
            owner, key, item = node.args
            return f"{self.value(owner)}[{index_text(key, self.value)}] = {self.value(item)}"
        return f"{node.name} = {expression(node, self.value, self.named)}"

    def value(self, value: Any) -> str:
        kind = type(value)
        if kind is Node:
            return str(value.name)
        if kind is tuple:
            return "(" + "".join(f"{self.value(each)}, " for each in value) + ")"
        if kind is list:
            return "[" + ", ".join(map(self.value, value)) + "]"
        if kind is dict:
            return "{" + ", ".join(f"{key!r}: {self.value(item)}" for key, item in value.items()) + "}"
        if kind is slice:
            return f"slice({', '.join(map(self.value, (value.start, value.stop, value.step)))})"
        if kind is float and not math.isfinite(value):
            return f"float({str(value)!r})"
        if value is None or value is Ellipsis or kind in (int, bool, float, complex, str, bytes):
            return repr(value)
        if isinstance(value, type):
            return self.named(value)
        if hasattr(value, "dtype") and hasattr(value, "shape"):
            return self.array(value)
        if kind.__module__ == "numpy.dtypes":
            self.modules.add("numpy")
            return f"numpy.{value!r}"
        if kind.__module__ == "torch":
            self.modules.add("torch")
            return repr(value) if repr(value).startswith("torch.") else f"torch.{value!r}"
        return self.named(value)

    def array(self, value: Any) -> str:
        """An array with the same type, dtype and shape, and the same values if they are few."""
        if type(value).__module__.startswith("torch"):
            return self.tensor(value)
        shape = tuple(value.shape)
        few = math.prod(shape) <= _FEW
        if type(value).__module__ == "numpy":
            self.modules.add("numpy")
            if type(value).__name__ != "ndarray":
                return f"numpy.{type(value).__name__}({self.value(value.item())})"
            if few:
                return (
                    f"numpy.array({self.value(value.tolist())}, dtype={value.dtype.str!r}).reshape({shape!r})"
                )
            return f"numpy.ones({shape!r}, dtype={value.dtype.str!r})"
        namespace = value.__array_namespace__().__name__
        self.modules.add(namespace)
        dtype = str(value.dtype).rpartition(".")[2]
        return f"{namespace}.ones({shape!r}, dtype={namespace}.{dtype})"

    def tensor(self, value: Any) -> str:
        self.modules.add("torch")
        shape = tuple(value.shape)
        grad = ", requires_grad=True" if value.requires_grad else ""
        if math.prod(shape) <= _FEW:
            values = self.value(value.detach().cpu().tolist())
            return f"torch.tensor({values}, dtype={value.dtype}, device={str(value.device)!r}{grad})"
        return f"torch.ones({shape!r}, dtype={value.dtype}, device={str(value.device)!r}{grad})"

    def named(self, value: Any) -> str:
        """A function, type or other object, by where it can be imported from."""
        for text in (
            target_name(value),
            f"{getattr(value, '__module__', '')}.{getattr(value, '__name__', '')}",
        ):
            module, _, name = text.rpartition(".")
            if self._is_there(module or "builtins", name, value):
                if module:
                    self.modules.add(module)
                return text
        # it is nowhere to be found by name; whoever reads the file sees what stood there
        self.missing.append(" ".join(repr(value).split()))
        return f"missing_{len(self.missing)}"

    @staticmethod
    def _is_there(module: str, name: str, value: Any) -> bool:
        try:
            found = getattr(importlib.import_module(module), name, None)
        except Exception:
            return False
        return found is value

    def backend(self, backend: Any) -> tuple[str, str]:
        """(lines that make the backend, the expression that stands for it)."""
        from translator.backends import BUILTIN

        name = getattr(backend, "name", None)
        for known, function in BUILTIN.items():
            if function is backend:
                name = known
        if isinstance(name, str):
            return "", repr(name)
        module, qualname = getattr(backend, "__module__", None), getattr(backend, "__qualname__", "")
        if isinstance(module, str) and self._is_there(module, qualname, backend) and module != "__main__":
            self.modules.add(module)
            return "", f"{module}.{qualname}"
        path = Path(getattr(getattr(backend, "__code__", None), "co_filename", "?")).name
        note = f"# {qualname or type(backend).__name__} of {path}: put it in here\n"
        return f"{note}backend = None\n", "backend"
