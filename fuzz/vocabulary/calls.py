"""Functions that generated programs define and call, without generators and coroutines."""

from __future__ import annotations

from fuzz.templates import Definition, definitions

# A definition, then the ways to call it. The names of the definition are known in the calls.
_FUNCTIONS = """
def $f($a):  ## x4
    ?body.int(a:int)
@@ int $f(?int)
@@ int $f($a=?int)
@@ int $f(*[?int])

def $f($a, $b=?int):  ## x3
    ?body.int(a:int, b:int)
@@ int $f(?int)
@@ int $f(?int, ?int)
@@ int $f(?int, $b=?int)
@@ int $f($b=?int, $a=?int)

def $f(*$a, $b=?int):
    ?body.int(a:tuple, b:int)
@@ int $f()
@@ int $f(?int, ?int)
@@ int $f(*?list, $b=?int)
@@ int $f(?int, *?tuple)

def $f($a, /, *, $b, $c=?str, **$d):
    ?body.int(a:int, b:int, c:str, d:dict)
@@ int $f(?int, $b=?int)
@@ int $f(?int, $b=?int, z=?int)
@@ int $f(?int, **{'z': ?int}, $b=?int)
@@ int $f(?int, $b=?int, **?dict)

def $f($a, $b):
    ?body.list(a:list, b:int)
@@ list $f(?list, ?int)
@@ list $f($b=?int, $a=?list)

def $f($a, $b=[]):
    $b.append($a)
    ?body.list(a:int, b:list)
@@ list $f(?int)
@@ list $f(?int, ?list)

def $f($a):
    ?body.str(a:str)
@@ str $f(?str)

def $f(*$a, **$b):
    ?body.any(a:tuple, b:dict)
@@ any $f()
@@ any $f(?int, a=?int)
@@ any $f(*?list, **?dict)

def $f($n):
    if $n <= 0: return ?int(n:int)
    return $f($n - 1) + ?int(n:int)
@@ int $f(?int % 4)
@@ int $f(?small)

def $f($n, $a):
    if $n < 1: return $a
    note($n)
    return $f($n - 1, [*$a, ?int(n:int)])  ## uses note
@@ list $f(?small, ?list)

def $f($n):
    return $n == 0 or $g($n - 1)
def $g($n):
    return $n != 0 and $f($n - 1)  ## outermost
@@ bool $f(?int % 5)
@@ bool $g(?small)

def $make():
    $n = ?int
    def $step($by=1):
        nonlocal $n
        $n += $by
        return $n
    return $step
$count = $make()
@@ int $count()
@@ int $count(?int)
@@ int $make()()

def $f():
    $n = ?list
    def $get():
        return $n
    def $put($a):
        nonlocal $n
        $n = $a
        return $get()
    return $get, $put
$get, $put = $f()
@@ list $get()
@@ list $put(?list)

$f = lambda $a, $b=?int: ?int(a:int, b:int)
@@ int $f(?int)
@@ int $f(?int, ?int)

@decorate
def $f($a):
    ?body.int(a:int)  ## uses decorate
@@ int $f(?int)
"""

FUNCTIONS: list[Definition] = definitions(_FUNCTIONS)
