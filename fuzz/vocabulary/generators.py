"""Generators, coroutines and asynchronous generators: definitions, how they are driven, statements."""

from __future__ import annotations

from fuzz.templates import Definition, Template, definitions, paragraphs

_GENERATORS = """
note((yield ?any))  ## uses note x2

yield ?any  ## x4

?new.any = yield ?int

yield from ?list[:4]  ## x3

?new.any = yield from iter(?tuple)

for $v in ?list^[:3]:
    yield ?any(v:int)
"""

_GENERATOR_FUNCTIONS = """
def $g($a):
    ?body.generator(a:int)
@@ list list(v for v in $g(?int^) if type(v) is int)
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

def $g($a):  ## x3
    $v = yield from ?list
    $w = yield from (?int(q:int) for $q in $a[:9])
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

async def $g($a):  ## x3
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

async def $g():  ## x2
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

# Defined and carried to their end on the spot: what a call of a definition may never come to.
_AT_ONCE = """
def $g($a):
    try:
        $s = yield $a
        note($s)
    except ?error_type as $error:
        return ($error.args, ?int)
def $h($a):
    $r = yield from $g($a)
    note($r)
    yield $r
$i = $h(?int)
note(next($i))
note(next($i, None) if ?bool else $i.throw(?error))  ## uses note x2
"""

_ASYNC_AT_ONCE = """
async def $c($a):
    async for $v in stream(?small):
        note(await pause($v))
        if ?bool(v:int): break
    else:
        note('else')
    async with AsyncManager(?str, ?error_type) as $m:
        note([$w async for $w in stream(2) if $w])
        if ?bool: raise ?error
    return await pause($a)
note(drive($c(?int)))  ## uses note uses stream uses pause uses drive uses AsyncManager x3

async def $g($a):
    try:
        $w = yield $a
        note($w)
        await pause(1)
        yield ?int
    finally:
        note('closing')
async def $c():
    $h = $g(?int)
    note(await $h.asend(None))
    note(await $h.asend(?int))
    async for $v in $g(2):
        note($v)
    await $h.aclose()
    return {$k: $k async for $k in $g(3)}
note(drive($c()))  ## uses note uses pause uses drive x2

async def $f():
    try:
        return await pause(?int)
    except ?error_type as $error:
        return $error.args
async def $c():
    return await $f()
$i = $c()
note($i.send(None))
try:
    note($i.throw(?error))
except StopIteration as $e:
    note($e.value)  ## uses note uses pause x2
"""

STATEMENTS: list[Template] = [
    *paragraphs(_GENERATORS, "generators"),
    *paragraphs(_ASYNC, "async"),
    *paragraphs(_AT_ONCE, "generators"),
    *paragraphs(_ASYNC_AT_ONCE, "async"),
]

FUNCTIONS: list[Definition] = [
    *definitions(_GENERATOR_FUNCTIONS, "generators"),
    *definitions(_ASYNC_FUNCTIONS, "async"),
]
