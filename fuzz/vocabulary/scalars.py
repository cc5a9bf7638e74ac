"""Expressions that give numbers, truth values, strings and None, as templates by kind."""

from __future__ import annotations

SCALARS: dict[str, str] = {
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
        max(?list[:9], key=?function)
        abs(?int)
        int(?float)
        int(?bool)
        divmod(?int, 3)[1]
        round(?float)
        sum(?int(v:int) for $v in ?list^[:9])  ## feature generators
        sum([?int(v:int) for $v in ?list^[:9]])  ## x2
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
        sum(map(?function, ?list[:9]))
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
        all([?bool(v:int) for $v in ?list^[:9]])
        any(?bool(v:int) for $v in ?list^[:9])  ## feature generators
        all(?bool(v:int) for $v in ?list^[:9])  ## feature generators
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
        ''.join([?str(v:str) for $v in ?words^[:9]])  ## grows
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
}
