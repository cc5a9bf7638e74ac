"""Classes, pattern matching, imports, and what looks at its scope."""

from __future__ import annotations

from fuzz.templates import Template, paragraphs

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
    listed = [?int(v:int) for $v in ?list^[:9]]
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

match [?int, *?list, ?int, ?int]:
    case [$v, $w, $x, *$y, $z]:
        note(($z, $y, $x, $w, $v))
    case [$v, $w, $x]:
        ?block(v:int, w:int, x:int)  ## uses note x2

match ?dict:
    case {'a': $v, 'b': $w, 'c': $x}:
        note(($v, $w, $x))
    case {'a': $v, 'b': $w, **$rest}:
        note(($rest, $w, $v))  ## uses note x2

match ?tuple:
    case (1, 2, *$rest) | (*$rest, 5):
        note($rest)
    case (_, _):
        ?block  ## uses note
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

STATEMENTS: list[Template] = [
    *paragraphs(_CLASSES, "classes"),
    *paragraphs(_MATCH, "match"),
    *paragraphs(_IMPORTS, "imports"),
    *paragraphs(_SCOPES, "scopes"),
]
