"""What a value looks like, as plain data: types exactly, structure, aliasing.

A portrait is a `Node`: (tag, text, ((label, node), …)), made of strings and tuples alone, so that two
of them can be compared, kept as JSON and carried to another process, whatever the value's own
`__eq__`, `__hash__` or `__repr__` would have said. None of these, nor any other code of the value's
class, runs while it is drawn.

Objects with an identity worth observing get a number when first met; later meetings refer to it. So
`[a, a]` and `[a, copy(a)]` differ. Numbers, strings, and tuples of nothing but these have none.
"""

from __future__ import annotations

import hashlib
import re
import sys
import types
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, NamedTuple

import opcodes

Node = tuple[str, str, tuple[Any, ...]]

_ATOMS = frozenset([int, bool, str, bytes, type(None), type(...), type(NotImplemented)])
_PLAIN_ITERATORS = frozenset(
    type(iter(value))
    for value in (
        [],
        (),
        "",
        "é",
        b"",
        bytearray(),
        range(0),
        {},
        set(),
        {}.values(),
        {}.items(),
        range(2**70),
    )
) | {type(reversed([])), type(reversed({})), enumerate, zip, map, filter, reversed}
_DESCRIPTORS = (
    types.FunctionType,
    classmethod,
    staticmethod,
    property,
    types.MemberDescriptorType,
    types.GetSetDescriptorType,
)
#: values of exactly these types have no attributes of their own
_BARE = frozenset([list, tuple, dict, set, frozenset, bytearray])
#: the flag of types that are made at run time
_HEAP = 1 << 9
_NUMBER = re.compile(r"#\d+")
_MOST_ITEMS = 4096
_DEEPEST = 60


class Entry(NamedTuple):
    """One traceback entry."""

    filename: str
    function: str
    line: int | None
    #: (end line, column, end column), or None where the version keeps no columns
    columns: tuple[int | None, int | None, int | None] | None

    def __str__(self) -> str:
        columns = (
            f", columns {self.columns[1]}-{self.columns[2]} to line {self.columns[0]}" if self.columns else ""
        )
        return f"{self.filename}:{self.line} in {self.function}{columns}"


_BLURS_UNBOUND_LOADS = opcodes.table(opcodes.HOST).facts["blurs_unbound_loads"]


def entries(error: BaseException, traceback: types.TracebackType | None) -> list[Entry]:
    """The entries of an exception's traceback, outermost first."""
    found: list[Entry] = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        columns = None
        positions = getattr(code, "co_positions", None)
        if positions is not None and traceback.tb_lasti >= 0:
            here = next(islice(positions(), traceback.tb_lasti // 2, None), None)
            columns = here and tuple(here[1:])
        found.append(Entry(code.co_filename, code.co_name, traceback.tb_lineno, columns))
        traceback = traceback.tb_next
    if found and _BLURS_UNBOUND_LOADS and type(error) is UnboundLocalError:
        # the place depends on how often the code has run, in CPython itself
        found[-1] = found[-1]._replace(line=None, columns=None)
    return found


class Artist:
    """Draws portraits; objects keep their numbers from one portrait to the next."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self._kept: list[Any] = []
        self._drawn: set[int] = set()

    def start(self) -> None:
        """A new observation: everything is drawn again, numbers stay."""
        self._drawn = set()

    def number(self, value: Any) -> int:
        """The value's number; it is kept alive, or another could take its identity."""
        known = self._numbers.get(id(value))
        if known is None:
            known = self._numbers[id(value)] = len(self._kept)
            self._kept.append(value)
        return known

    def draw(self, value: Any, depth: int = 0) -> Node:
        """The portrait of a value."""
        kind = type(value)
        if kind in _ATOMS:
            return (kind.__name__, _atom(kind, value), ())
        if kind is float or kind is complex:
            return (kind.__name__, repr(value), ())
        if kind is tuple and _is_atomic(value, 4):
            return (
                "tuple",
                "",
                tuple((f"[{i}]", self.draw(item, depth + 1)) for i, item in enumerate(value)),
            )
        if depth > _DEEPEST:
            return ("deeper", "", ())
        numpy = sys.modules.get("numpy")
        if numpy is not None and isinstance(value, numpy.generic):
            return _numpy_scalar(value)
        number = self.number(value)
        if number in self._drawn:
            return ("same as", f"#{number}", ())
        self._drawn.add(number)
        name = _type_name(kind)
        if numpy is not None and issubclass(kind, numpy.ndarray):
            return (name, f"#{number} {self._array(value)}", tuple(self._array_items(value, depth)))
        draw = _drawer(kind)
        if draw is None:
            return (name, f"#{number}", tuple(self._attributes(value, depth + 1)))
        text, children = draw(self, value, depth + 1)
        return (name, f"#{number} {text}" if text else f"#{number}", tuple(children))

    # -- each draws (text, children)

    def _items(self, value: Any, depth: int) -> tuple[str, list[Any]]:
        base = list if isinstance(value, list) else tuple
        children = [(f"[{i}]", self.draw(item, depth)) for i, item in enumerate(base.__iter__(value))]
        return "", children + list(self._attributes(value, depth))

    def _dict(self, value: dict[Any, Any], depth: int) -> tuple[str, list[Any]]:
        children = []
        for key, item in dict.items(value):
            drawn = self.draw(key, depth)
            children.append((f"[{render(drawn)}]", self.draw(item, depth)))
            if drawn[2] or drawn[0] not in ("str", "int"):
                children.append(("key", drawn))
        return "", children + list(self._attributes(value, depth))

    def _set(self, value: Any, depth: int) -> tuple[str, list[Any]]:
        base = set if isinstance(value, set) else frozenset
        items = list(base.__iter__(value))
        atomic = sorted(("in", self.draw(item, depth)) for item in items if _is_atomic(item, 4))
        others = [("in", self.draw(item, depth)) for item in items if not _is_atomic(item, 4)]
        return "", atomic + others + list(self._attributes(value, depth))

    def _exception(self, value: BaseException, depth: int) -> tuple[str, list[Any]]:
        children = [("args", self.draw(BaseException.args.__get__(value), depth))]
        if isinstance(value, (NameError, AttributeError, ImportError)):
            children.append(("name", self.draw(value.name, depth)))
        if isinstance(value, StopIteration):
            children.append(("value", self.draw(value.value, depth)))
        children.extend(self._attributes(value, depth))
        for label, chained in (
            ("__cause__", BaseException.__cause__.__get__(value)),
            ("__context__", BaseException.__context__.__get__(value)),
        ):
            if chained is not None:
                children.append((label, self.draw(chained, depth)))
        if BaseException.__suppress_context__.__get__(value):
            children.append(("__suppress_context__", ("bool", "True", ())))
        traceback = BaseException.__traceback__.__get__(value)
        children.extend(
            (f"traceback[{i}]", ("entry", str(e), ())) for i, e in enumerate(entries(value, traceback))
        )
        return "", children

    def _function(self, value: types.FunctionType, depth: int) -> tuple[str, list[Any]]:
        code = value.__code__
        children = [
            ("defaults", self.draw(value.__defaults__, depth)),
            ("keyword defaults", self.draw(value.__kwdefaults__, depth)),
        ]
        for name, cell in zip(code.co_freevars, value.__closure__ or ()):
            children.append((f"cell {name}", self.draw(cell, depth)))
        children.extend(self._attributes(value, depth))
        return f"{value.__qualname__} at {code.co_filename}:{code.co_firstlineno}", children

    def _cell(self, value: types.CellType, depth: int) -> tuple[str, list[Any]]:
        try:
            return "", [("contents", self.draw(value.cell_contents, depth))]
        except ValueError:
            return "empty", []

    def _method(self, value: types.MethodType, depth: int) -> tuple[str, list[Any]]:
        return "", [
            ("function", self.draw(value.__func__, depth)),
            ("self", self.draw(value.__self__, depth)),
        ]

    def _builtin(self, value: types.BuiltinFunctionType, depth: int) -> tuple[str, list[Any]]:
        owner = value.__self__
        if owner is None or isinstance(owner, types.ModuleType):
            return value.__qualname__, []
        return value.__qualname__, [("self", self.draw(owner, depth))]

    def _class(self, value: type, depth: int) -> tuple[str, list[Any]]:
        if type.__dict__["__module__"].__get__(value, type) == "builtins" or not value.__flags__ & _HEAP:
            return _type_name(value), []
        children = [
            ("base", (_type_name(base), "", ())) for base in type.__dict__["__bases__"].__get__(value, type)
        ]
        for name, item in type.__dict__["__dict__"].__get__(value, type).items():
            if not name.startswith("__") and not isinstance(item, _DESCRIPTORS):
                children.append((f".{name}", self.draw(item, depth)))
        return _type_name(value), children

    def _code(self, value: types.CodeType, depth: int) -> tuple[str, list[Any]]:
        return f"{value.co_name} at {value.co_filename}:{value.co_firstlineno}", []

    def _parked(self, value: Any, depth: int) -> tuple[str, list[Any]]:
        frame = next(
            getattr(value, name) for name in ("gi_frame", "cr_frame", "ag_frame") if hasattr(value, name)
        )
        return f"{value.__qualname__}{' finished' if frame is None else ''}", []

    def _plain(self, value: Any, depth: int) -> tuple[str, list[Any]]:
        return repr(value), []

    def _slice(self, value: slice, depth: int) -> tuple[str, list[Any]]:
        return "", [(name, self.draw(getattr(value, name), depth)) for name in ("start", "stop", "step")]

    def _wrapper(self, value: Any, depth: int) -> tuple[str, list[Any]]:
        if isinstance(value, property):
            return "", [(name, self.draw(getattr(value, name), depth)) for name in ("fget", "fset", "fdel")]
        return "", [("function", self.draw(value.__func__, depth))]

    def _module(self, value: types.ModuleType, depth: int) -> tuple[str, list[Any]]:
        return value.__name__, []

    def _bytearray(self, value: bytearray, depth: int) -> tuple[str, list[Any]]:
        return repr(bytes(value)), list(self._attributes(value, depth))

    def _number(self, value: Any, depth: int) -> tuple[str, list[Any]]:
        base = next(base for base in (int, float, complex, str, bytes) if isinstance(value, base))
        return _PLAIN[base](value), list(self._attributes(value, depth))

    def _array(self, value: Any) -> str:
        owner = value
        while isinstance(owner.base, sys.modules["numpy"].ndarray):
            owner = owner.base
        offset = value.__array_interface__["data"][0] - owner.__array_interface__["data"][0]
        flags = value.flags
        order = ("C" if flags.c_contiguous else "") + ("F" if flags.f_contiguous else "") or "strided"
        frozen = "" if flags.writeable else " read-only"
        return f"{value.dtype.str} {value.shape} {order}{frozen} memory #{self.number(owner)}+{offset}"

    def _array_items(self, value: Any, depth: int) -> Iterator[Any]:
        numpy = sys.modules["numpy"]
        plain = value.view(numpy.ndarray)
        if plain.dtype == object:
            for i, item in enumerate(plain.ravel().tolist()):
                yield f".flat[{i}]", self.draw(item, depth + 1)
        elif plain.size <= _MOST_ITEMS:
            yield "values", ("array", repr(plain.tolist()), ())
        else:
            if plain.dtype.kind in "fc":
                plain = numpy.where(numpy.isnan(plain), numpy.array(numpy.nan, plain.dtype), plain)
            yield (
                "values",
                ("array", "digest " + hashlib.blake2b(plain.tobytes(), digest_size=12).hexdigest(), ()),
            )
        if type(value) is not numpy.ndarray:
            yield from self._attributes(value, depth + 1)

    def _attributes(self, value: Any, depth: int) -> Iterator[Any]:
        """The instance's own attributes: its `__dict__`, and its slots."""
        kind = type(value)
        if kind in _BARE:
            return
        for base in kind.__mro__:
            if not base.__flags__ & _HEAP:
                continue
            for name, member in tuple(base.__dict__.items()):
                if type(member) is types.MemberDescriptorType:
                    try:
                        yield f".{name}", self.draw(member.__get__(value, kind), depth)
                    except AttributeError:
                        continue
        if kind in _PLAIN_ITERATORS:
            try:
                yield "state", self.draw(value.__reduce__()[1:], depth)
            except TypeError:  # holds something that cannot be pickled
                yield "state", ("unknown", "", ())
            return
        try:
            own = object.__getattribute__(value, "__dict__")
        except AttributeError:
            return
        if type(own) is dict:
            for name, item in dict.items(own):
                yield f".{name}", self.draw(item, depth)


def _atom(kind: type, value: Any) -> str:
    if kind is int and not -(10**18) < value < 10**18:
        return hex(value)
    return ascii(value)


#: A subclass's value as text, with no method of the subclass asked.
_PLAIN: dict[type, Callable[[Any], str]] = {
    int: lambda value: _atom(int, int.__int__(value)),
    float: float.__repr__,
    complex: complex.__repr__,
    str: lambda value: ascii(str.__str__(value)),
    bytes: bytes.__repr__,
}


def _is_atomic(value: Any, depth: int) -> bool:
    kind = type(value)
    if kind in _ATOMS or kind is float or kind is complex:
        return True
    return kind is tuple and depth > 0 and all(_is_atomic(item, depth - 1) for item in value)


def _type_name(kind: type) -> str:
    name = type.__dict__["__qualname__"].__get__(kind, type)
    module = kind.__dict__.get("__module__", "builtins")
    return name if module in ("builtins", "generated") or not isinstance(module, str) else f"{module}.{name}"


def _numpy_scalar(value: Any) -> Node:
    plain = value.tolist() if value.dtype.kind != "V" else value.item()
    text = repr(plain) if type(plain) in _ATOMS or isinstance(plain, (float, complex)) else str(value)
    return (f"numpy.{type(value).__name__}", f"{value.dtype.str} {text}", ())


_Drawer = Callable[[Artist, Any, int], tuple[str, list[Any]]]
_DRAWERS: tuple[tuple[Any, _Drawer], ...] = (
    ((list, tuple), Artist._items),
    (dict, Artist._dict),
    ((set, frozenset), Artist._set),
    (BaseException, Artist._exception),
    (types.FunctionType, Artist._function),
    (types.MethodType, Artist._method),
    (types.BuiltinFunctionType, Artist._builtin),
    (types.CellType, Artist._cell),
    (type, Artist._class),
    (types.CodeType, Artist._code),
    ((types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType), Artist._parked),
    (slice, Artist._slice),
    (range, Artist._plain),
    ((classmethod, staticmethod, property), Artist._wrapper),
    (types.ModuleType, Artist._module),
    (bytearray, Artist._bytearray),
    ((int, float, complex, str, bytes), Artist._number),
)


#: of the types that Python itself comes with
_drawers: dict[type, _Drawer | None] = {}


def _drawer(kind: type) -> _Drawer | None:
    """What draws values of a type; None if it has nothing of its own."""
    found = _drawers.get(kind, False)
    if found is False:
        found = next((draw for base, draw in _DRAWERS if issubclass(kind, base)), None)
        if not kind.__flags__ & _HEAP:
            _drawers[kind] = found
    return found  # type: ignore[return-value]


def render(node: Node, limit: int = 300) -> str:
    """A portrait as one readable line."""
    text = _render(node)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _render(node: Node) -> str:
    tag, text, children = node
    if tag in ("int", "bool", "str", "bytes", "float", "complex", "NoneType", "ellipsis", "entry", "array"):
        return text
    inner = ", ".join(
        _render(child)
        if (label.startswith("[") and tag in ("list", "tuple")) or label == "in"
        else f"{label}: {_render(child)}"
        for label, child in children
    )
    head = f"{tag} {text}".strip() if tag not in ("list", "tuple", "dict", "set") else text
    brackets = {"list": "[]", "dict": "{}", "set": "{}"}.get(tag, "()")
    return (
        f"{head}{brackets[0]}{inner}{brackets[1]}"
        if inner or tag in ("list", "tuple", "dict", "set")
        else head
    )


def parting(mine: Node, other: Node, path: str = "") -> tuple[str, Node, Node] | None:
    """Where two portraits first part: (path, mine, other); None if they are equal."""
    if mine == other:
        return None
    if mine[0] != other[0] or mine[1] != other[1]:
        return path, mine, other
    for (label, first), (other_label, second) in zip(mine[2], other[2]):
        if label != other_label:
            return path, mine, other
        found = parting(first, second, f"{path}{'' if label[:1] in '[.' else ' '}{label}")
        if found is not None:
            return found
    return path, mine, other


def unnumbered(node: Node) -> Node:
    """A portrait without the objects' numbers, which shift when anything drawn before it differs."""
    tag, text, children = node
    return (
        tag,
        _NUMBER.sub("#", text),
        tuple((label, unnumbered(child)) for label, child in children),
    )
