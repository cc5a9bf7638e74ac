"""Statements that raise, catch and clean up: try in its forms, raise, with."""

from __future__ import annotations

from fuzz.templates import Template, paragraphs, parse_lines

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

STATEMENTS: list[Template] = [
    *parse_lines(_EXCEPTION_LINES, "exceptions"),
    *paragraphs(_EXCEPTIONS, "exceptions"),
    *paragraphs(_WITH, "with"),
]
