"""The vocabulary of array programs: NumPy arrays of several dtypes and shapes, mixed with Python values.

Kinds besides those of fuzz.vocabulary.literals: array (any dtype and shape), scalar (a NumPy scalar),
ints (an array of small integers, good as an index).
"""

from __future__ import annotations

from fuzz.templates import Definition, Template, definitions, paragraphs, parse_lines
from fuzz.vocabulary.expressions import EXPRESSIONS
from fuzz.vocabulary.literals import LITERALS

ARRAY_LITERALS: dict[str, tuple[str, ...]] = {
    **LITERALS,
    "array": (
        "np.zeros(3)",
        "np.arange(3)",
        "np.arange(3.0)",
        "np.arange(6.0).reshape(2, 3)",
        "np.array([1.5, -2.0, 0.0], dtype='float32')",
        "np.array([True, False, True])",
        "np.ones((2, 3), dtype='float32')",
        "np.arange(6, dtype='int8').reshape(2, 3)",
        "np.array([[1], [2]])",
        "np.array([1 + 2j, -1j, 0])",
        "np.array(2.5)",
        "np.array([], dtype='float64')",
        "np.array([float('nan'), 1.0, -0.0])",
        "np.array([200, 100, 255], dtype='uint8')",
        "np.arange(6.0).reshape(3, 2).T",
        "np.arange(6.0)[::2]",
        "(np.arange(3.0) > 1)",
        "np.full((1, 3), 7, dtype='int32')",
        "np.array([0.5, 1.0, 2.0], dtype='float16')",
        "np.arange(3, dtype='>i4')",
    ),
    "scalar": (
        "np.float64(1.5)",
        "np.int64(2)",
        "np.float32(-0.5)",
        "np.bool_(True)",
        "np.int8(100)",
        "np.complex128(1j)",
    ),
    "ints": ("np.array([0])", "np.array([0, 1])", "np.array([0, -1, 0])"),
}

_EXPRESSIONS: dict[str, str] = {
    "array": """
        (?array + ?array)  ## x5
        (?array * ?array)  ## x4
        (?array - ?float)  ## x2
        (?array * ?int)  ## x3
        (?int - ?array)
        (2 * ?array + ?float)  ## x2
        (?array / ?array)  ## x2
        (?array // 2)
        (?array % ?array)
        (?array ** 2)
        (-?array)
        abs(?array)
        (~(?array > 0))
        (?array < ?array)
        (?array == ?int)
        (?array >= ?scalar)
        ((?array > 0) & (?array < ?float))
        (?array @ ?array)
        (?array + ?scalar)
        np.add(?array, ?array)  ## x2
        np.multiply(?array, ?float)
        np.maximum(?array, ?array)
        np.exp(?array)
        np.sqrt(abs(?array))
        np.sin(?array)
        np.where(?array > 0, ?array, ?array)  ## x2
        np.clip(?array, -1, ?int)
        np.concatenate([?array, ?array])  ## grows
        np.stack([?array, ?array])  ## grows
        np.zeros_like(?array)
        np.ones(3)
        np.zeros((2, 3), dtype=?dtype)
        np.arange(?small)
        np.asarray(?list)
        np.array(?list, dtype=?dtype)
        np.full(3, ?float)
        np.dot(?array, ?array)
        np.outer(?array, ?array)[:3, :3]
        np.cumsum(?array)
        np.sort(?array)
        np.transpose(?array)
        np.add.reduce(?array)
        np.add(?array, 1, out=np.zeros(3))
        np.isnan(?array)
        np.broadcast_to(?array, (2, 3))
        np.expand_dims(?array, 0)  ## grows
        ?array.T  ## x2
        ?array.reshape(-1)  ## x2
        ?array.reshape(?array.shape)
        ?array.astype(?dtype)  ## x2
        ?array.copy()
        ?array.ravel()
        ?array.clip(0, 2)
        ?array.cumsum()
        ?array.sum(axis=0)
        ?array.mean(axis=-1, keepdims=True)
        ?array.max(axis=0)
        ?array.real
        ?array.view()
        ?array.flatten()
        ?array[?int:?int]  ## x2
        ?array[1:]
        ?array[::-1]
        ?array[..., 0]
        ?array[None]  ## grows
        ?array[:, None]  ## grows
        ?array[:, ?index]
        ?array[?ints]
        ?array[?array > 0]
        ?array[?index]
        note(?array)  ## uses note
        (?array if ?bool else ?array)  ## x2
        (?array if ?array.shape == (3,) else ?array)
        (?array if ?array.dtype == np.float64 else ?array)
        (?array if ?array.sum() > 0 else ?array)  ## x2
        [?array, ?array][?bool]
        sum([?array, ?array])
        (lambda $v, $w=?float: $v * $w)(?array)
        ?call.array  ## x5
        sum(?array(v:int) for $v in range(2))  ## feature generators
        np.array([?float(v:int) for $v in range(3)])
        [$v * 2 for $v in (?array^, ?array^)][0]
        {'a': ?array}['a']
        max([?array], key=len)
    """,
    "scalar": """
        ?array.sum()  ## x3
        ?array.max()
        ?array.mean()
        ?array[0]  ## x2
        ?array[0, 0]
        ?array.flat[0]
        (?scalar + ?scalar)  ## x2
        (?scalar * ?int)
        (?scalar / ?float)
        (-?scalar)
        np.sum(?array)
        np.float32(?float)
        np.sqrt(?scalar)
        np.dot(?array, ?array)
        np.add(?scalar, 1)
        ?array.prod()
    """,
    "ints": """
        np.argsort(?array)
        np.arange(?small)
        np.nonzero(?array)[0]
    """,
    "dtype": """
        np.float32
        'float64'
        np.int64
        'complex64'
        bool
    """,
    "int": """
        len(?array)  ## x2
        ?array.ndim  ## x2
        ?array.shape[0]  ## x2
        ?array.size
        int(?scalar)
        int(?array.sum())
        sum(?array.shape)
    """,
    "float": """
        float(?scalar)  ## x2
        ?array.sum().item()
        float(?array[0])
    """,
    "bool": """
        (?scalar > 0)  ## x2
        bool(?array.any())
        (?array.shape == ?array.shape)
        (?array.ndim == 1)  ## x2
        (?array is ?array)
        np.allclose(?array, ?array)
        isinstance(?any, np.ndarray)
        (?array.dtype == np.float64)
        np.may_share_memory(?array, ?array)
    """,
    "any": """
        ?array  ## x12
        ?scalar  ## x5
        (?array, ?array)  ## x3
        {'a': ?array, 'n': ?int}
        [?array, ?scalar]
        (?array, ?int, ?str)
        ?array.shape
        ?array.dtype
        ?array.tolist()
    """,
    "list": """
        ?array.tolist()[:0]
        list(?array.shape)
        list(range(?array.ndim))
    """,
    "str": """
        str(?array.dtype)
        f"{?int~}"
    """,
    "faulty": """
        (np.zeros(3) + np.zeros(2))
        ?array[99]
        ?array.reshape(7)
        ?array.missing
        np.missing
        bool(np.zeros(2))
        np.zeros(-1)
        (?array @ 1)
        np.concatenate([])
        (?array + 'a')
        ?array.sum(axis=9)
    """,
}

_STATEMENTS = """
?new.array = ?array  ## x24

?new.scalar = ?scalar  ## x4

?var.array += ?array  ## x4

?var.array *= ?int  ## x4

?var.array -= ?float  ## x2

?var.array /= 2

?var.array = ?var.array * ?float + ?int  ## x3

?array[0] = ?float  ## x3

?array[?int:?int] = ?scalar  ## x2

?array[...] = ?array

?array[0] += ?int  ## x2

?array[?array > 0] = 0

?array[:] *= 2

?new.array, ?new.array = ?array, ?array

?new.int, *?new.list = ?array.shape

?array.sort()

?array.fill(?float)

np.add(?array, 1, out=?var.array)

?var.list += [?array.ndim]

log.append(?array)  ## uses log x4

if ?array.sum() > ?int:  ## x3
    ?block
else:
    ?block

if ?array.ndim == 2:  ## x3
    ?block
elif ?array.dtype == np.float64:
    ?block

for ?new.array in ?array[:3]:  ## x2
    ?loop

for $v in range(?array.ndim):
    ?loop(v:int)

for ?new.array in (?array, ?array):  ## x2
    ?loop

for $v in range(3):  ## x3
    ?var.array = ?var.array * ?float + $v
    ?loop(v:int)
    if ?bool(v:int): break

$n = 0
while $n < 3 and ?scalar < 10:
    $n += 1
    ?loop(n:int)

if ?bool: return ?result  ## function x2
"""

_FUNCTIONS = """
def $f($a, $b=?float):  ## x12
    ?body.array(a:array, b:float)
@@ array $f(?array)
@@ array $f(?array, ?float)
@@ array $f($b=?float, $a=?array)

def $f($a, *$b):  ## x4
    ?body.array(a:array, b:tuple)
@@ array $f(?array)
@@ array $f(?array, *?tuple)

def $make():  ## x4
    $n = ?array
    def $step($by=1):
        nonlocal $n
        $n = $n + $by
        return $n
    return $step
$count = $make()
@@ array $count()
@@ array $count(?float)
"""

ARRAY_EXPRESSIONS: dict[str, list[Template]] = {
    kind: [*parse_lines(_EXPRESSIONS.get(kind, "")), *EXPRESSIONS.get(kind, ())]
    for kind in {**EXPRESSIONS, **_EXPRESSIONS}
}
ARRAY_EXPRESSIONS["any"] += parse_lines(_EXPRESSIONS["any"]) * 2
ARRAY_LITERALS["dtype"] = ("np.float32", "'float64'", "bool")
ARRAY_STATEMENTS: list[Template] = paragraphs(_STATEMENTS)
ARRAY_FUNCTIONS: list[Definition] = definitions(_FUNCTIONS)
_ALL = ARRAY_LITERALS["array"]
#: The arrays of one program: those of three numbers, those that broadcast with them, any.
ARRAY_FAMILIES: tuple[tuple[str, ...], ...] = (
    tuple(text for text in _ALL if "reshape" not in text and "(2, 3)" not in text and "[[" not in text)[:8],
    tuple(text for text in _ALL if "[]" not in text and "(3, 2)" not in text),
    _ALL,
)
#: Kinds of the parameters of array functions.
ARRAY_PARAMETERS = ("array",) * 6 + (
    "float",
    "int",
    "int",
    "bool",
    "scalar",
    "optional",
    "list",
    "str",
    "dict",
)
