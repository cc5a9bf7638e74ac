"""Statements of the generated programs: the part of the language without exceptions, generators and
classes (those have files of their own).

Loops end: what they go over is short and taken before they start, or a counter nobody else writes to
runs against a small number.
"""

# ruff: noqa: E501 (a template is read best on one line)
from __future__ import annotations

from fuzz.templates import Template, paragraphs, parse_lines

_ASSIGNED = {
    "int": 8,
    "list": 5,
    "str": 4,
    "dict": 3,
    "bool": 2,
    "any": 3,
    "tuple": 2,
    "set": 2,
    "float": 2,
    "optional": 2,
    "words": 1,
    "pairs": 1,
    "pair": 1,
    "function": 2,
    "point": 2,
    "loud": 1,
}

_SIMPLE = (
    """
    pass
    note(?int)  ## uses note x4
    note(?any)  ## uses note x6
    log.append(?any)  ## uses log x4
    print(?int, ?words)
    ?any  ## x2
    ?none  ## x8
    ?faulty
    ?new.int = ?new.int = ?int  ## x2
    ?new.int, ?new.str = ?int, ?str  ## x2
    ?new.int, ?new.str = ?pair
    ?new.int, ?new.int = ?tuple
    ?new.int, ?new.int, ?new.int = ?int, ?int, ?int
    ?new.int, *?new.list = ?list  ## x2
    *?new.list, ?new.int = ?tuple
    ?new.int, *?new.list, ?new.int = [?int, ?int, *?list]
    (?new.int, ?new.str), [?new.int] = ?pair, [?int]
    ?new.str, ?new.str = 'ab'
    ?var.int, ?var.int = ?int, ?int  ## x2
    ?list[?index], ?var.int = ?int, ?int
    ?new.int = ?list[?index] = ?int
    $v: int = ?int
    ?var.int += ?int  ## x4
    ?var.int -= ?int
    ?var.int *= ?int  ## grows
    ?var.int //= ?int
    ?var.int %= ?int
    ?var.int **= 2  ## grows
    ?var.int <<= 1  ## grows
    ?var.int >>= 1
    ?var.int &= ?int
    ?var.int |= ?int
    ?var.int ^= ?int
    ?var.float /= ?int
    ?var.float += ?float
    ?var.str += 'q'
    ?var.str += ?str  ## grows
    ?var.list += [?int]  ## x2
    ?var.list += ?tuple  ## grows
    ?var.set |= {?int}
    ?var.set -= {?int}
    ?var.dict |= ?dict
    ?var.tuple += (?int,)
    ?var.loud += ?int  ## uses Loud
    ?list[?index] = ?int  ## x3
    ?list[?index] += ?int  ## x2
    ?list[?int:?int] = [?int]
    ?list[?int:?int] = ?list  ## grows
    ?list[::2] = ?list  ## grows
    ?list[0:1] += [?int]
    ?dict['a'] = ?int  ## x2
    ?dict[?str] = ?int  ## x2
    ?dict['a'] += ?int  ## x2
    ?dict['b'] -= ?int
    ?point.x = ?int  ## uses Point x2
    ?point.x += ?int  ## uses Point x2
    ?point.y -= ?int  ## uses Point
    ?point.total = ?int  ## uses Point
    ?point.total += ?int  ## uses Point
    ?point.extra = ?any  ## uses Point
    Point.made += 1  ## uses Point
    ?loud[?int] = ?int  ## uses Loud
    ?loud[note(?int)] += note(?int)  ## uses Loud uses note
    ?loud[?int:?int] = ?int  ## uses Loud
    ?loud[?int, ...]  ## uses Loud
    del ?loud[?int]  ## uses Loud
    ?loud.value += ?int  ## uses Loud
    del ?list[?index]  ## x2
    del ?list[?int:?int]
    del ?dict['a']
    del ?dict[?str]
    del ?point.x  ## uses Point x2
    $v = Point(?int); del $v.x; note(hasattr($v, 'x'))  ## uses Point uses note x2
    del ?gone.int
    del ?gone.list
    del ?gone.str, ?list[0]
    assert ?bool  ## x2
    ?new.bool = not ?any  ## x3
    $v = Loud(?int); $v @= ?int; note($v)  ## uses Loud uses note
    $v = ?int; $f = lambda: $v; del $v; note($f.__code__.co_freevars)  ## uses note
    $v = ?int; $f = lambda: $v; del $v; $f()
    $v = ?int; del $v; note('$v' in locals())  ## uses note feature scopes
    $v = ?int; del $v; $v  ## feature exceptions
    assert ?bool, ?str
    assert not ?list, ?any
    (lambda: note(?int))()  ## uses note
    [note($v) for $v in ?list^]  ## uses note
    TABLE['a'] += 1  ## uses TABLE
    SCALE  ## uses SCALE
    if ?bool: ?var.int = ?int
    if ($v := ?int) > ?int: note($v)  ## walrus uses note
    while ?bool: break
    ?new.int, ?new.int = ?new.pair = (?int, ?int)[:2]
    """
    + "\n".join(f"?new.{kind} = ?{kind}  ## x{weight}" for kind, weight in _ASSIGNED.items())
    + "\n"
    + "\n".join(f"return ?result  ## function x{weight}" for weight in (2,))
)

_LOOP_ONLY = """
    break  ## loop x2
    continue  ## loop x2
    if ?bool: break  ## loop x4
    if ?bool: continue  ## loop x3
"""

_COMPOUND = """
if ?bool:  ## x6
    ?block

if ?bool:  ## x5
    ?block
else:
    ?block

if ?bool:  ## x2
    ?block
elif ?bool:
    ?block
else:
    ?block

if ?optional is None:
    ?block
elif not ?list:
    ?block

for ?new.int in ?list^[:4]:  ## x5
    ?loop

for ?new.int in range(?small):  ## x4
    ?loop

for ?new.int in ?tuple^[:3]:
    ?loop
else:
    ?block

for ?new.int, ?new.str in ?pairs^[:3]:  ## x2
    ?loop

for ?new.str, ?new.int in list(?dict^.items())[:3]:  ## x2
    ?loop

for ?new.int, ?new.int in enumerate(?list^[:3], ?int):
    ?loop
else:
    ?block

for ?new.str in ?str^[:3]:
    ?loop

for ?new.str in sorted(?dict^)[:3]:
    ?loop

for ?new.int, *?new.list in (?list^[:2], ?tuple^[:3]):
    ?loop

for ?point.x in ?list^[:2]:  ## uses Point
    ?loop

for ?new.int in ?loud:  ## uses Loud
    ?loop

for $v in ?list^[:3]:
    for $w in ?list^[:3]:
        if ?bool(v:int, w:int): continue
        ?loop(v:int, w:int)
        if ?bool(v:int, w:int): break
    else:
        ?loop(v:int)

$n = 0
while $n < ?small:  ## x4
    $n += 1
    ?loop(n:int)

$n = 0
while $n < 3 and ?bool(n:int):  ## x2
    $n += 1
    ?loop(n:int)
else:
    ?block(n:int)

$n = ?small
while True:  ## x2
    $n -= 1
    if $n < 0 or ?bool(n:int): break
    ?loop(n:int)

$n = 3
while $n:
    $n -= 1
    if ?bool(n:int): continue
    ?loop(n:int)

while ($n := note(0)) < 0:  ## uses note walrus
    ?loop(n:int)
"""


def _wide() -> list[str]:
    """Templates past the sizes that fit into one instruction's argument, or into a few bits of it."""
    names = ", ".join(f"$v{'abcdefghijklmnopqrst'[i]}" for i in range(20))
    constants = ", ".join(f"{i}.25" for i in range(260))
    many = ", ".join(
        f"$w{'abcdefghijklmnopqrst'[i // 20]}{'abcdefghijklmnopqrst'[i % 20]}" for i in range(260)
    )
    return [
        f"{names} = range(20)\nnote([{names}])  ## uses note",
        f"{names} = ?int, *range(19)\nnote($vt - $va)\n$vq = $vr = $vs\n[$va, $vt, $vs] = $vq, $vr, ?int  ## uses note",
        f"{many} = range(260)\nlog.append([{many}])  ## uses log",
        f"log.append(sum([?int, {constants}]))  ## uses log x2",
        f"if ?bool:\n    log.append(sum([?int, {constants}]))\nelse:\n    ?block  ## uses log x2",
        f"for ?new.int in ?list^[:3]:\n    if ?bool: continue\n    log.append(len([?int, {constants}]))\n    ?loop  ## uses log x2",
        f"$n = 0\nwhile $n < 2:\n    $n += 1\n    log.append(max([?int, {constants}]))\n    if ?bool: break\nelse:\n    ?block  ## uses log",
    ]


SIMPLE: list[Template] = parse_lines(_SIMPLE) + parse_lines(_LOOP_ONLY)
COMPOUND: list[Template] = paragraphs(_COMPOUND)
WIDE: list[Template] = [paragraphs(text)[0] for text in _wide()]
