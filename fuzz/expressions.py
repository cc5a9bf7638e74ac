"""Expressions of the generated programs, by the kind of value they give.

Kinds: int, float, bool, str, bytes, none, optional (int or None), list (of ints), words (list of
strings), pairs (list of (int, str)), tuple (of ints), pair (int, str), dict (str to int), set (of
ints), point and loud (the prelude's classes), function (int to int), any.

The first template of a kind is its simplest. A template keeps its promise of kind for every value its
holes can have, or raises: that is what keeps loops bounded (see `grows` in fuzz.templates).
"""

from __future__ import annotations

from fuzz.templates import Template, parse_lines

#: Literals by kind; the first is the simplest.
LITERALS: dict[str, tuple[str, ...]] = {
    "int": ("0", "1", "2", "-1", "3", "7", "10", "255", "256", "257", "-6", "65536", "2147483648", "-9223372036854775808", "True"),
    "float": ("0.0", "1.5", "-0.0", "0.5", "-2.25", "1e308", "float('nan')", "float('inf')", "5e-324"),
    "bool": ("False", "True"),
    "str": ("''", "'a'", "'spam'", "'é'", "'a b c'", "'x,y'", "'{}'", "'\\n'", "'%d'", "'\\ud800'"),
    "bytes": ("b''", "b'a'", "b'spam'", "b'\\x00\\xff'"),
    "none": ("None",),
    "optional": ("None", "0", "3"),
    "list": ("[]", "[1]", "[1, 2, 3]", "[3, 1, 2]", "[0, -1, 5, 5]", "[1, 2, 3, 4, 5, 6]"),
    "words": ("[]", "['a']", "['a', 'b', 'c']", "['spam', '', 'é']"),
    "pairs": ("[]", "[(1, 'a')]", "[(1, 'a'), (2, 'b'), (0, '')]"),
    "tuple": ("()", "(1,)", "(1, 2, 3)", "(0, -1, 5)"),
    "pair": ("(0, '')", "(1, 'a')", "(-3, 'spam')"),
    "dict": ("{}", "{'a': 1}", "{'a': 1, 'b': 2, 'c': 3}", "{'x': -1, '': 0}"),
    "set": ("set()", "{1}", "{1, 2, 3}", "{0, 5, -7}"),
    "point": ("Point(0)", "Point(1, 2)", "Point(x=-1, y=4)"),
    "loud": ("Loud(0)", "Loud(1)", "Loud(3)"),
    "index": ("0", "-1", "1"),
    "small": ("1", "2", "3"),
    "step": ("2", "-1"),
    "faulty": ("undefined_name", "(1 // 0)", "None.attribute", "[][0]"),
    "error": ("ValueError(1)", "KeyError('k')"),
    "error_type": ("Exception", "ValueError", "(ValueError, KeyError)"),
    "bare_error_type": ("ValueError", "TypeError"),
    "plain_error_type": ("Exception", "ValueError"),
    "function": ("abs", "(lambda v: v)", "(lambda v, w=2: v - w)"),
}

_EXPRESSIONS: dict[str, str] = {
    "int": """
        (?int + ?int)  ## x4
        (?int - ?int)  ## x3
        (?int * ?int)  ## grows x2
        (?int * 3)
        (?int // ?int)
        (?int % ?int)
        (?int ** 2)  ## grows
        (?int << 3)  ## grows
        (?int >> 1)
        (?int & ?int)
        (?int | ?int)
        (?int ^ ?int)
        (-?int)
        (+?int)
        (~?int)
        (?int if ?bool else ?int)  ## x3
        (?int and ?int)  ## x2
        (?int or ?int)  ## x2
        (?int and ?int or ?int)
        (?optional or ?int)
        len(?list)  ## x2
        len(?str)
        len(?dict)
        len(?set)
        ?list[?index]  ## x3
        ?tuple[?index]
        ?pair[0]
        ?list[-1]
        ?dict['a']  ## x2
        ?dict.get('b', ?int)
        ?dict.setdefault('a', ?int)
        ?dict.pop('c', ?int)
        ?list.pop()
        ?list.index(?int)
        ?list.count(?int)
        ?str.find(?str)
        ?str.count('a')
        sum(?list)  ## x2
        sum(?list, ?int)
        max(?int, ?int)
        min(?list, default=?int)
        max(?list, key=?function)
        abs(?int)
        int(?float)
        int(?bool)
        divmod(?int, 3)[1]
        round(?float)
        sum(?int(v:int) for $v in ?list^)  ## feature generators
        sum([?int(v:int) for $v in ?list^])  ## x2
        note(?int)  ## uses note x3
        ?point.x  ## uses Point x2
        ?point.norm()  ## uses Point x2
        ?point.total  ## uses Point
        ?point.scale(?int)  ## uses Point
        Point.origin().y  ## uses Point
        Point.distance(?int, ?int)  ## uses Point
        getattr(?point, 'y')  ## uses Point
        getattr(?point, 'missing', ?int)  ## uses Point
        len(?loud)  ## uses Loud
        ?loud.value  ## uses Loud
        ?loud(?int, key=?int)  ## uses Loud
        ?loud[?int]  ## uses Loud
        (?loud @ ?int)  ## uses Loud
        ?function(?int)  ## x2
        (lambda $v: ?int(v:int))(?int)
        (lambda $v, $w=?int: ?int(v:int, w:int))(?int)
        (lambda *$v: len($v))(*?list)
        (lambda *$v, **$w: len($v) + len($w))(?int, *?tuple, **?dict)
        (lambda *, $v: ?int(v:int))($v=?int)
        ?call.int  ## x8
        ($v := ?int)  ## walrus x2
        (?int(v:int) if ($v := ?int) else ?int)  ## walrus
        [?int, ?int][?bool]
        (?int, ?int)[?bool]
        {0: ?int, 1: ?int}[?bool]
        ord(?str[0])
        int(f"{?int~}")
        sum(map(?function, ?list))
        (?list[0] if ?list else ?int)
        sum($v * $w for $v, $w in zip(?list^, ?list^))  ## feature generators grows
        next(iter(?list), ?int)
        len([*?list, ?int, *?tuple])
        len({**?dict, 'z': ?int})
        dict(a=?int, **?dict)['a']
        type(?int)(?int)
    """,
    "float": """
        (?float + ?float)  ## x2
        (?float - ?int)
        (?float * ?float)
        (?int / ?int)
        (?float // 2)
        (?float % 1.5)
        (-?float)
        abs(?float)
        float(?int)
        round(?float, 1)
        (?float if ?bool else ?float)
        (?float or ?float)
        (?int * 0.5)
        max(?float, ?float)
        note(?float)  ## uses note
        complex(?float, ?float).imag
    """,
    "bool": """
        (?int < ?int)  ## x3
        (?int == ?int)  ## x2
        (?int != ?int)
        (?int >= ?int)
        (?int > ?int)
        (?int <= ?int)
        (?float < ?float)
        (?float == ?float)
        (?str == ?str)
        (?str < ?str)
        (?list == ?list)
        (?tuple < ?tuple)
        (?dict != ?dict)
        (?set <= ?set)
        (?int < ?int < ?int)  ## x2
        (?int <= ?int != ?int > ?int)
        (note(?int) < note(?int) < note(?int))  ## uses note
        (?int in ?list)  ## x2
        (?int not in ?tuple)
        (?str in ?str)
        (?str in ?dict)
        (?int in ?set)
        (?int in (1, 2, 3))
        (?str in {'a', 'b'})
        (?optional is None)  ## x2
        (?optional is not None)
        (?any is ?any)
        (?list is not ?list)
        (not ?bool)  ## x2
        (not ?list)
        (not ?int)
        (?bool and ?bool)  ## x2
        (?bool or ?bool)  ## x2
        (?bool and ?bool or ?bool)
        (?bool and not (?bool or ?bool))
        (?bool if ?bool else ?bool)
        bool(?any)
        bool(?list)
        isinstance(?any, int)
        isinstance(?any, (str, list))
        hasattr(?any, 'append')
        callable(?any)
        all([?bool(v:int) for $v in ?list^])
        any(?bool(v:int) for $v in ?list^)  ## feature generators
        all(?bool(v:int) for $v in ?list^)  ## feature generators
        ?str.startswith('a')
        ?str.isdigit()
        (?point == ?point)  ## uses Point
        (?loud == ?int)  ## uses Loud
        (?loud < ?loud)  ## uses Loud
        (?int in ?loud)  ## uses Loud
        bool(?loud)  ## uses Loud
        note(?bool)  ## uses note
        (True and ?bool)
        (?int is 1)  ## feature warnings
        (($v := ?int) > 0 and ?bool(v:int))  ## walrus
    """,
    "str": """
        (?str + ?str)  ## grows x2
        (?str + 'z')
        ('<' + ?str)
        (?str * 2)  ## grows
        f"{?int~}"  ## x2
        f"{?int~}:{?float~}"
        f"{?str~}"
        f"{?str~}{?str~}"  ## grows
        f"{?int~:>4}|{?int~:x}"
        f"{?float~:.2f}"
        f"{?int~:{?small}d}"
        f"{?str~!r}"  ## grows
        f"{?int~!s:>3}{?bool~!r}"
        f"{?int~=}"
        f"{?point~.x}-{?point~!s:.5}"  ## uses Point
        ?str[?index]
        ?str[1:]
        ?str[::-1]
        ?str[?int:?int]
        ?str.upper()
        ?str.strip()
        ?str.replace('a', 'b')
        ?str.replace('a', 'bb')  ## grows
        ?str.partition('a')[2]
        ?str.join(?words)  ## grows
        ', '.join(?words)  ## grows
        ''.join([?str(v:str) for $v in ?words^])  ## grows
        ''.join(sorted(?str))
        str(?int)
        repr(?bool)
        str(?float)
        repr(?list)  ## grows
        ('%d' % ?int)
        ('%s-%r' % (?int, ?bool))
        '{}/{}'.format(?int, ?bool)
        '{0:>{1}}'.format(?int, ?small)
        chr(97 + ?int % 26)
        ?words[?index]
        ?pair[1]
        (?str if ?bool else ?str)
        (?str or ?str)
        (?str and ?str)
        note(?str)  ## uses note
        ?point.label(?int)  ## uses Point
        str(?point)  ## uses Point
        type(?any).__name__
        ?call.str  ## x2
        hex(?int)
    """,
    "bytes": """
        bytes(?bytes)
        ?bytes[1:]
        (?bytes + b'-')
        ?str.encode('utf-8', 'replace')
    """,
    "none": """
        note(None)  ## uses note
        ?list.append(?int)  ## x2
        ?list.sort()
        ?list.sort(key=lambda $v: ?int(v:int), reverse=?bool)
        ?list.reverse()
        ?list.insert(?int, ?int)
        ?list.remove(?int)
        ?list.clear()
        ?list.extend(?list)  ## grows
        ?list.extend((?int, ?int))
        ?words.append('w')
        ?dict.update(a=?int)
        ?dict.update(?dict)
        ?set.add(?int)
        ?set.discard(?int)
        print(?int)
        print(?str, ?int, sep=', ', end='.')
        print(*?list)
        ?point.move(?int)  ## uses Point
        ?point.move(?int, dy=?int)  ## uses Point
        setattr(?point, 'x', ?int)  ## uses Point
    """,
    "optional": """
        ?int
        ?dict.get('b')
        (?int if ?bool else None)
        (None if ?bool else ?int)
        (?optional and ?int)
        note(?optional)  ## uses note
    """,
    "list": """
        [?int]  ## x2
        [?int, ?int]  ## x2
        [?int, ?int, ?int]
        (?list + [?int])  ## x2
        (?list + ?list)  ## grows
        (?list * 2)  ## grows
        ?list[1:]  ## x2
        ?list[:-1]
        ?list[::2]
        ?list[?int:?int]  ## x2
        ?list[?int:?int:?step]
        ?list[:]
        [*?list, ?int]
        [?int, *?tuple]  ## grows
        [*?list, *?set]  ## grows
        list(?tuple)
        list(?set)
        sorted(?list)
        sorted(?set, reverse=True)
        sorted(?list, key=?function)
        list(range(?small))
        list(range(?int % 5))
        list(reversed(?list))
        list(map(?function, ?list))
        list(filter(None, ?list))
        list(?dict.values())
        list(enumerate(?list))[0:0]
        [?int(v:int) for $v in ?list^]  ## x4
        [?int(v:int) for $v in ?list^ if ?bool(v:int)]  ## x2
        [?int(v:int) for $v in range(?small)]
        [?int(v:int, w:int) for $v in ?list^ for $w in (1, 2)]  ## grows
        [?int(v:int, w:int) for $v in (0, 1) if ?bool(v:int) for $w in ?list^(v:int)]  ## grows
        [$w for $v in [?list^] for $w in $v]  ## grows
        [len($w) for $w in [[?int^(v:int), ?int^(v:int)] for $v in ?list^]]
        [?int(v:int, w:str) for $v, $w in ?pairs^]
        [?int(v:int, w:int) for $v, $w in enumerate(?list^)]
        [?int(v:int) for $v, *$w in [?list^[:3]]]
        [(lambda: $v)() for $v in ?list^]
        [$w() for $w in [lambda: $v for $v in ?list^]]
        list(?int(v:int) for $v in ?list^)  ## feature generators
        [*(?int(v:int) for $v in ?list^)]  ## feature generators
        [*$w for $v in (0, 1) for $w in [[?int^(v:int)]]]  ## feature comprehension_unpacking
        [*?list(v:int) for $v in (0, 1)]  ## feature comprehension_unpacking grows
        (?list if ?bool else ?list)
        (?list or ?list)
        note(?list)  ## uses note
        list(?point)  ## uses Point
        [$v for $v in ?loud^]  ## uses Loud
        ?call.list  ## x2
        list((lambda *$v: $v)(*?list, ?int))
        [$v for $v in ?list^ if $v if $v > 1]
        ?list.copy()
        [ord($v) for $v in ?str^]
    """,
    "words": """
        [?str]
        [?str, ?str]
        ?str.split()
        ?str.split(',', 1)
        ?words[1:]
        sorted(?words)
        sorted(?words, key=len)
        [?str(v:str) for $v in ?words^]
        [?str(v:int) for $v in ?list^]
        list(?dict)
        list(?str)
        [f"{$v}" for $v in ?list^]
        (?words if ?bool else ?words)
        note(?words)  ## uses note
    """,
    "pairs": """
        [(?int, ?str)]
        [(?int, ?str), ?pair]
        list(zip(?list, ?words))
        list(enumerate(?words))
        [(?int(v:int), ?str(v:int)) for $v in ?list^]
        sorted(?pairs)
        [($v, $w) for $w, $v in ?dict^.items()]
    """,
    "tuple": """
        (?int,)
        (?int, ?int)  ## x2
        (?tuple + (?int,))
        ?tuple[1:]
        ?tuple[?int:?int]
        tuple(?list)
        (*?list, ?int)
        (?int, *?tuple)  ## x2
        tuple(?int(v:int) for $v in ?list^)  ## feature generators
        (lambda *$v: $v)(?int, ?int)
        (?tuple or ?tuple)
        note(?tuple)  ## uses note
        divmod(?int, ?int)
    """,
    "pair": """
        (?int, ?str)
        ?pairs[?index]
        max(?pairs)
    """,
    "dict": """
        {'a': ?int}  ## x2
        {'a': ?int, 'b': ?int}
        {?str: ?int, 'z': ?int}
        {**?dict, 'b': ?int}
        {**?dict, **?dict}
        dict(?dict)
        dict(a=?int, b=?int)
        dict(zip(?words, ?list))
        dict(**?dict, q=?int)
        (lambda **$v: $v)(a=?int, **?dict)
        {?str(v:int): ?int(v:int) for $v in ?list^}  ## x2
        {$v: ?int(v:str, w:int) for $v, $w in ?dict^.items()}
        {$v: ?int(v:str, w:int) for $v, $w in ?dict^.items() if ?bool(w:int)}
        {$v: len($v) for $v in ?words^}
        (?dict | ?dict)
        ?dict.copy()
        {**?dict for $v in (0, 1)}  ## feature comprehension_unpacking
        vars(?point).copy()  ## uses Point
        note(?dict)  ## uses note
        (?dict if ?bool else ?dict)
        ?call.dict
    """,
    "set": """
        {?int}  ## x2
        {?int, ?int}
        {*?list}
        {*?list, ?int, *?set}
        set(?list)
        set(?dict.values())
        (?set | ?set)
        (?set & ?set)
        (?set - {?int})
        (?set ^ ?set)
        {?int(v:int) for $v in ?list^}  ## x2
        {?int(v:int) for $v in ?list^ if ?bool(v:int)}
        {*?list(v:int) for $v in (0, 1)}  ## feature comprehension_unpacking grows
        note(?set)  ## uses note
    """,
    "point": """
        Point(?int)  ## uses Point
        Point(?int, ?int)  ## uses Point
        Point(y=?int, x=?int)  ## uses Point
        Point(*?tuple[:2])  ## uses Point
        Point(**{'x': ?int})  ## uses Point
        (?point + ?point)  ## uses Point
        (-?point)  ## uses Point
        ?point.copy()  ## uses Point
        ?point.move(?int).move(?int)  ## uses Point
        (?point if ?bool else ?point)  ## uses Point
        max(?point, ?point, key=lambda $v: $v.norm())  ## uses Point
    """,
    "loud": """
        Loud(?int)  ## uses Loud x2
        (?loud + ?int)  ## uses Loud
        (?int - ?loud)  ## uses Loud
        (?loud and ?loud)  ## uses Loud
        (?loud or ?loud)  ## uses Loud
        (?loud if ?bool else ?loud)  ## uses Loud
        note(?loud)  ## uses Loud uses note
    """,
    "function": """
        (lambda $v: ?int(v:int))  ## x3
        (lambda $v, $w=?int: ?int(v:int, w:int))
        (lambda $v, *$w, **$x: ?int(v:int))
        (lambda $v: (lambda $w: ?int(v:int, w:int)))(?int)
        ?point.scale  ## uses Point
        ?list.count
        (?function if ?bool else ?function)
        (abs if ?bool else ?function)
        [abs, int, ?function][?index]
    """,
    "any": """
        ?int  ## x4
        ?bool  ## x2
        ?str  ## x3
        ?list  ## x3
        ?float
        None
        ?optional
        ?tuple  ## x2
        ?dict  ## x2
        ?set
        ?words
        ?pair
        ?pairs
        ?bytes
        ?point  ## uses Point
        ?loud  ## uses Loud
        ?function
        ?none
        ...
        (?int, ?any)  ## grows x2
        [?any, ?any]  ## grows
        {'a': ?any, ?str: ?any}  ## grows
        (?any, ?any)  ## grows
        (?any if ?bool else ?any)
        (?any or ?any)
        (?any and ?any)
        complex(?float, ?int)
        slice(?int, ?optional)
        range(?int % 7)
        iter(?list)
        type(?any)
        note(?any)  ## uses note
        ?call.any  ## x3
        [[?any(v:int) for $w in (0, 1)] for $v in range(?small)]  ## grows
        __debug__
        1j
    """,
    # an index that is often good
    "index": """
        0  ## x4
        -1  ## x2
        1  ## x2
        ?int
        2
        (?int % 3)
    """,
    "step": """
        2
        -1
        ?optional
    """,
    "small": """
        1
        2
        3
    """,
    # what raises, or very likely does
    "faulty": """
        (?int // 0)
        (?int + 'a')
        ?list[99]
        ?dict['missing']
        ?tuple['a']
        None.attribute
        (?int)(?int)
        undefined_name
        int('x')
        (?str - 1)
        ([] < {})
        (1 in 2)
        note()  ## uses note
        note(?int, ?int)  ## uses note
        note(value=?int, **{'value': 1})  ## uses note
        note(*1)  ## uses note
        note(**1)  ## uses note
        note(1, **{2: 3})  ## uses note
        [*1]
        {**1}
        {[]: 1}
        {[]}
        len(?int)
        (-'a')
        f"{?int~:q}"
        (lambda $v, /, *, $w: $v)($v=1)
        (lambda: 1)(2)
        (lambda $v, $w: 1)(1)
        (lambda *, $v: 1)()
        Point()  ## uses Point
        Point(1, 2, 3)  ## uses Point
        ?point.missing  ## uses Point
        ?point.missing()  ## uses Point
        ?point['a']  ## uses Point
        (?point < ?point)  ## uses Point
        (?loud << 1)  ## uses Loud
        ?loud.fail()  ## uses Loud
        max([])
        [].pop()
        sum(['a'])
        ('%d' % 'a')
        iter(1)
        [$v for $v in 1]
        [$v for $v, $w in [1]]
        [$v / 0 for $v in [1]]
        (lambda: 1 / 0)()
        (1 @ 2)
        (?list @ 1)
        (~1.5)
        (1 << -1)
        int.missing
        'a'.missing()
    """,
}

EXPRESSIONS: dict[str, list[Template]] = {kind: parse_lines(text) for kind, text in _EXPRESSIONS.items()}
