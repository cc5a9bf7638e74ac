"""The rest of the language, by feature: exceptions, with, generators, classes, pattern matching, async,
and what only newer versions parse.

A version has a feature when a sample of it compiles there: `available()` asks the running one.
"""

from __future__ import annotations

from functools import lru_cache

from fuzz.statements import Definition, definitions, paragraphs
from fuzz.templates import Template, parse_lines

#: Every feature beyond the plain language, with a sample that parses where a version has it.
SAMPLES: dict[str, str] = {
    "exceptions": "try: pass\nexcept Exception: pass",
    "with": "with a as b: pass",
    "generators": "def f(): x = yield from y",
    "classes": "class C(D, metaclass=M): pass",
    "match": "match x:\n    case [1, *rest]: pass",
    "async": "async def f():\n    async with a: await b",
    "imports": "from a import b",
    "scopes": "exec('x = 1')",
    "except_star": "try: pass\nexcept* ValueError: pass",
    "type_params": "def f[T: int](x: T) -> T: pass\ntype X[T] = list[T]",
    "template_strings": "t'{x!r:>3}'",
    "type_param_defaults": "class C[T = int]: pass",
    "comprehension_unpacking": "[*x for x in y]",
    "unbracketed_except": "try: pass\nexcept A, B: pass",
    "lazy_imports": "lazy import json",
}

_EXCEPTIONS = """
try:  ## x6
    ?block
except ?error_type:
    ?block

try:  ## x4
    ?block
except ?error_type as $error:
    note($error.args)
    ?block
else:
    ?block  ## uses note

try:  ## x3
    ?block
finally:
    ?block

try:  ## x3
    ?block
except ?error_type:
    ?block
except ?error_type as $error:
    log.append(type($error).__name__)
    ?block
finally:
    ?block  ## uses log

try:
    ?faulty
    ?block
except ?error_type as $error:  ## x2
    raise ?error from $error

try:
    ?block
    raise ?error
except ?error_type:  ## x2
    ?block
    raise

try:
    ?block
except:
    ?block
    raise ?error from None

try:
    raise ?error
except ?error_type as $error:
    $error.add_note('noted') if hasattr($error, 'add_note') else None
    log.append($error)  ## uses log

try:
    ?faulty
except ?error_type as $error:
    try:
        ?block
        raise ?error
    except ?error_type as $inner:
        log.append(($inner, $inner.__context__ is $error))
    finally:
        ?block  ## uses log

try:
    try:
        ?faulty
    finally:
        ?block
except (?error_type, ?error_type):
    ?block

for $v in range(?small):  ## x2
    try:
        ?loop(v:int)
        if ?bool(v:int): continue
        if ?bool(v:int): break
    finally:
        note($v)  ## uses note

for $v in ?list^[:3]:
    try:
        if ?bool(v:int): raise ?error
        ?loop(v:int)
    except ?error_type:
        if ?bool(v:int): break
        continue
    else:
        ?loop(v:int)

$n = 0
while $n < 3:
    $n += 1
    try:
        note($n // (2 - $n))
        ?loop(n:int)
    except ZeroDivisionError as $error:
        del $error
    finally:
        ?loop(n:int)  ## uses note

try:
    ?block
    return ?result
finally:
    ?block  ## function x2

try:
    return note(?result)
finally:
    if ?bool: return ?result  ## function uses note

while True:
    try:
        ?block
        return ?result
    finally:
        break  ## function

try:
    ?var.int += ?list[99]
except IndexError:
    ?new.int = ?int
"""

_EXCEPTION_LINES = """
raise ?error  ## x2
raise ?error from ?error
raise ?error_type
raise ?any
raise
if ?bool: raise ?error  ## x3
assert False, ?any
"""

_WITH = """
with Manager(?str):  ## uses Manager x3
    ?block

with Manager(?str) as ?new.str:  ## uses Manager x3
    ?block

with Manager('a') as $m, Manager(?str, ?error_type):  ## uses Manager x2
    ?block(m:str)

with Manager(?str, ?error_type):  ## uses Manager x2
    ?faulty
    ?block

with (Manager('a', ?error_type) as $m, Manager($m)):  ## uses Manager
    ?block(m:str)

for $v in range(?small):  ## uses Manager x2
    with Manager($v, ?error_type):
        if ?bool(v:int): continue
        ?loop(v:int)
        if ?bool(v:int): break

with Manager('r') as $m:  ## uses Manager function x2
    ?block
    return ?result

with Manager('m') as ?point.x:  ## uses Manager uses Point
    ?block

with ?any:
    ?block
"""

_GENERATORS = """
note((yield ?any))  ## uses note x2

yield ?any  ## x4

?new.any = yield ?int

yield from ?list[:4]

?new.any = yield from iter(?tuple)

for $v in ?list^[:3]:
    yield ?any(v:int)
"""

_GENERATOR_FUNCTIONS = """
def $g($a):
    ?body.generator(a:int)
@@ list list(v for v in $g(?int) if type(v) is int)
@@ any list($g(?int))
@@ any next($g(?int), None)

def $g($n):
    for $v in range($n % 4):
        $w = yield $v + ?int(v:int)
        if $w: note($w)
    return ?int  ## uses note
@@ list list($g(?int))
@@ list [*$g(?int)]
@@ int sum($g(?int))
@@ int next($g(3))

def $g($a):
    try:
        yield ?int
        yield $a
        ?body.generator(a:int)
    except ?error_type as $error:
        note($error.args)
        yield 99
    finally:
        note('closing')  ## uses note
@@ any list($g(?int))
@@ any (lambda g: (next(g), g.send(?any), g.close()))($g(?int))
@@ any (lambda g: (next(g), g.throw(?error)))($g(?int))
@@ any (lambda g: (g.close(), next(g, None)))($g(?int))
@@ any $g(?int).throw(?error)

def $g($a):
    $v = yield from ?list
    $w = yield from (?int(q:int) for $q in $a)
    note(($v, $w))
    return ?int
def $h($a):
    $r = yield from $g($a)
    yield $r  ## uses note
@@ list list($h(?list))
@@ any (lambda g: (next(g, None), g.throw(?error)))($h(?list))
@@ any (lambda g: (next(g, None), g.send(?int)))($h(?list))
@@ any (lambda g: (next(g, None), g.close(), list(g)))($h(?list))

$g = lambda $n: (yield $n)
@@ any list($g(?int))
@@ any next($g(?int))

def $g():
    yield ?int
    raise StopIteration(?int)
@@ any list($g())
"""

_CLASSES = """
class $K:  ## x3
    ?class_block
    def $m(self, $a):
        ?body.int(a:int)
    tag = $m
note($K().$m(?int))
note(sorted(k for k in vars($K) if not k.startswith('__')))  ## uses note

class $K(Point):  ## uses Point x3
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.extra = ?int
    def scale(self, $a):
        return super().scale($a) + self.extra
    def who(self):
        return __class__.__name__, super().norm
note($K(?int).scale(?int))
note($K(?int, y=?int).who()[1]())  ## uses note

class $K(Loud, metaclass=type):  ## uses Loud uses note
    __slots__ = ('other',)
    value_of = note
    def __init__(self):
        self.other = ?int
        super(__class__, self).__init__(?int)
?new.loud = $K()

class $meta(type):
    @classmethod
    def __prepare__(cls, name, bases, **kwargs):
        log.append((name, kwargs))
        return {'given': ?int}
    def __new__(cls, name, bases, namespace, **kwargs):
        return super().__new__(cls, name, bases, namespace)
    def __init__(cls, name, bases, namespace, **kwargs):
        log.append(sorted(k for k in namespace if k[0] != '_'))
class $K(metaclass=$meta, flag=?int):
    note(given)
    given = given + 1
    listed = [?int(v:int) for $v in ?list^]
    @property
    def both(self):
        return self.given, self.listed
log.append($K().both)  ## uses note uses log

class $K:
    def __set_name__(self, owner, name):
        log.append((owner.__name__, name))
    def __get__(self, instance, owner):
        return (?int, instance is None)
    def __set__(self, instance, value):
        log.append(value)
class $L:
    field = $K()
    def __init_subclass__(cls, **kwargs):
        log.append((cls.__name__, kwargs))
class $M($L, key=?int): pass
$x = $M()
$x.field = ?any
log.append(($x.field, $M.field))  ## uses log

@decorate
class $K:
    x: int = ?int
    y: 'str'
    def __private(self): return ?int
    def public(self): return self.__private()
log.append($K().public())  ## uses decorate uses log

class $K:
    x = ?int
    try:
        y = x + ?list[?index]
    except IndexError as error:
        y = None
    for z in range(2):
        x += z
    del z
    def __eq__(self, other): return True
    if ?bool: __hash__ = None
    ?class_block
log.append(($K.x, $K.y, $K() == 1, $K.__hash__ is None))  ## uses log

class $K(?any): pass

def $deco($a):
    def $wrap(cls):
        log.append((cls.__qualname__, $a))
        return cls
    return $wrap
@$deco(?int)
class $K:
    @staticmethod
    def s($a): return ?int(a:int)
    @classmethod
    def c(cls): return cls.s(?int)
log.append(($K.s(?int), $K.c(), $K().c()))  ## uses log
"""

_MATCH = """
match ?any:  ## x3
    case 0 | 1:
        ?block
    case int($v) if ?bool(v:int):
        ?block(v:int)
    case str():
        ?block
    case _:
        ?block

match ?list:  ## x3
    case []:
        ?block
    case [$v]:
        ?block(v:int)
    case [$v, *$rest]:
        ?block(v:int, rest:list)

match ?dict:  ## x2
    case {'a': $v, **$rest}:
        ?block(v:int, rest:dict)
    case {'b': 1 | 2 as $w}:
        ?block(w:int)
    case {}:
        ?block

match ?point:  ## uses Point x2
    case Point(x=0):
        ?block
    case Point(x=$v, y=int() as $w):
        ?block(v:int, w:int)

match (?int, ?any):  ## x2
    case (0, $whatever):
        note($whatever)
    case (-1 | 1, ($v, $w)):
        note(($v, $w))
    case ($v, None | True | 'a'):
        ?block
    case ($v, str() | list() | {'a': _}):
        ?block
    case _:
        ?block  ## uses note

match ?any:
    case [[$v, *_], *_] | ($v, _) | {'a': $v}:
        note($v)
    case Point(1, 2):
        pass
    case float() | complex() as $v:
        note($v)
    case bytes($v) | set($v):
        note($v)  ## uses note uses Point

match ?tuple:
    case (1, 2, *$rest) | (*$rest, 5):
        note($rest)
    case (_, _):
        ?block  ## uses note
"""

_ASYNC_FUNCTIONS = """
async def $c($a):  ## x3
    ?body.coroutine(a:int)
@@ any drive($c(?int))

async def $c($a):  ## x2
    $v = await pause($a)
    return ?int(v:int)
async def $d($a):
    try:
        note(await $c($a))
        async with AsyncManager(?str, ?error_type) as $m:
            note($m)
            ?faulty
        async for $w in stream(?small):
            if ?bool(w:int): continue
            note(await pause($w))
            if ?bool(w:int): break
        else:
            note('else')
    except ?error_type as $error:
        return $error.args
    finally:
        await pause('end')  ## uses note uses AsyncManager uses stream uses pause uses drive
@@ any drive($d(?int))
@@ any (lambda c: (c.send(None), c.close()))($d(?int))
@@ any (lambda c: (c.send(None), c.throw(?error)))($d(?int))
@@ int drive($c(?int))

async def $g($a):
    for $v in ?list[:3]:
        await pause($v)
        $w = yield ?int(v:int)
        note($w)
async def $d($a):
    $r = [?int(q:int) async for $q in $g($a)]
    $s = {$q: await pause($q) async for $q in stream(2) if $q is not None}
    $t = [await pause($q) for $q in ?list^[:2]]
    $u = [$q async for $q in (await pause($q) for $q in ?list^[:2])]
    return $r, $s, $t, $u  ## uses note uses stream uses pause uses drive
@@ any drive($d(?int))

async def $g():
    try:
        $v = yield ?int
        note($v)
        yield ?any
    except ?error_type as $error:
        note($error.args)
    finally:
        await pause('closing')
async def $d():
    $h = $g()
    note(await $h.__anext__())
    try:
        note(await $h.asend(?any))
        note(await $h.athrow(?error))
    except StopAsyncIteration:
        note('stopped')
    finally:
        await $h.aclose()  ## uses note uses pause uses drive
@@ any drive($d())

async def $d():
    await (?any)
    async with ?any: pass
    async for $v in ?any: pass  ## uses drive
@@ any drive($d())
"""

_ASYNC = """
note(await pause(?any))  ## coroutine uses note uses pause

?new.any = await pause(?int)  ## coroutine uses pause

async with AsyncManager(?str) as ?new.str:  ## coroutine uses AsyncManager
    ?block

async with AsyncManager(?str, ?error_type):  ## coroutine uses AsyncManager
    ?faulty
    ?block

async for $v in stream(?small):  ## coroutine uses stream
    ?loop(v:int)

note([?int(v:int) async for $v in stream(?small)])  ## coroutine uses note uses stream
"""

_IMPORTS = """
import math
note(math.floor(?float))  ## uses note

import os.path, collections.abc as $abc
note((os.path.basename(?str), isinstance(?any, $abc.Sized)))  ## uses note

from math import floor, ceil as $up
note((floor(?float), $up(?float)))  ## uses note

from math import no_such_name

import no_such_module

from collections import OrderedDict as $od
?new.dict = $od(a=?int)
"""

_SCOPES = """
log.append(sorted(k for k in locals() if k[0] != '_'))  ## uses log

exec('made = ?small', $space := {})
log.append($space['made'])  ## uses log walrus

?new.int = eval('1 + ?small')

log.append(eval('[v + 1 for v in (1, 2)]'))  ## uses log

log.append(sorted(k for k in dir() if k[0] != '_'))  ## uses log

global $made
$made = ?int
note($made)
del $made
$made  ## uses note

log.append((lambda: sorted(vars()))())  ## uses log

log.append([sorted(locals()) for $v in (1,)])  ## uses log
"""

_NEWER: dict[str, str] = {
    "except_star": """
try:
    raise ExceptionGroup('many', [?error, ?error, TypeError('t')])
except* ?plain_error_type as $group:  ## x3
    note($group.exceptions)
    ?straight
except* TypeError:
    ?straight
else:
    ?block  ## uses note

try:
    ?faulty
    ?block
except* ?plain_error_type:  ## x2
    ?straight
finally:
    ?block

try:
    raise ExceptionGroup('outer', [?error, ExceptionGroup('inner', [?error, KeyError(1)])])
except* KeyError as $group:
    raise ?error
except* ?plain_error_type:
    raise
""",
    "type_params": """
type $Alias[T] = list[T]
log.append(($Alias.__name__, $Alias.__value__, $Alias.__type_params__))  ## uses log

class $K[T, *Ts, **P]:
    field = ?int
    def m[U: int](self, v: T) -> U: return v
log.append(($K.__type_params__, $K[int, str, [int]], $K().m(?int), $K.m.__type_params__))  ## uses log
""",
    "template_strings": """
$t = t'{?int~}|{?str~!r:>{?small}}{?float~:.1f}'
log.append(($t.strings, [(i.value, i.expression, i.conversion, i.format_spec) for i in $t.interpolations]))  ## uses log

log.append(list(t"a" t"{?int~}"))  ## uses log
""",
    "type_param_defaults": """
class $K[T = int, U: str = str]: pass
log.append([(p.__default__, p.__bound__) for p in $K.__type_params__])  ## uses log
""",
    "unbracketed_except": """
try:
    ?faulty
except ?bare_error_type, ?bare_error_type:
    ?block
""",
    "comprehension_unpacking": """
log.append([*$v for $v in (?list^, ?tuple^)])  ## uses log

log.append({**$v for $v in (?dict^, ?dict^)})  ## uses log

log.append(list((*$v for $v in (?list^, ?words^))))  ## uses log
""",
}

ERROR_KINDS: dict[str, list[Template]] = {
    "bare_error_type": parse_lines("ValueError\nTypeError\nZeroDivisionError\nTrouble  ## uses Trouble"),
    "plain_error_type": parse_lines("ValueError\nTypeError\nException\nTrouble  ## uses Trouble\nLookupError"),
    "error_type": parse_lines(
        """
        Exception  ## x3
        ValueError  ## x2
        ZeroDivisionError  ## x2
        TypeError
        KeyError
        LookupError
        Trouble  ## uses Trouble x2
        (ValueError, KeyError)  ## x2
        (TypeError, Trouble)  ## uses Trouble
        ArithmeticError
        BaseException
        ()
        NameError
        """
    ),
    "error": parse_lines(
        """
        ValueError(?int)  ## x3
        ValueError
        Trouble(?int)  ## uses Trouble x2
        KeyError(?str)
        ZeroDivisionError
        StopIteration(?int)
        Trouble  ## uses Trouble
        RuntimeError('r', ?any)
        """
    ),
}

STATEMENTS: list[Template] = [
    *parse_lines(_EXCEPTION_LINES, "exceptions"),
    *paragraphs(_EXCEPTIONS, "exceptions"),
    *paragraphs(_WITH, "with"),
    *paragraphs(_GENERATORS, "generators"),
    *paragraphs(_CLASSES, "classes"),
    *paragraphs(_MATCH, "match"),
    *paragraphs(_ASYNC, "async"),
    *paragraphs(_IMPORTS, "imports"),
    *paragraphs(_SCOPES, "scopes"),
    *(template for name, text in _NEWER.items() for template in paragraphs(text, name) * 3),
]

FUNCTIONS: list[Definition] = [
    *definitions(_GENERATOR_FUNCTIONS, "generators"),
    *definitions(_ASYNC_FUNCTIONS, "async"),
]


@lru_cache(maxsize=None)
def available() -> frozenset[str]:
    """The features whose sample the running interpreter parses."""
    found = set()
    for name, sample in SAMPLES.items():
        try:
            compile(sample, f"<sample of {name}>", "exec", dont_inherit=True)
        except SyntaxError:
            continue
        found.add(name)
    return frozenset(found)
