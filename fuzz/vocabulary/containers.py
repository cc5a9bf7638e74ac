"""Expressions that give containers, objects, functions or anything, as templates by kind."""

from __future__ import annotations

CONTAINERS: dict[str, str] = {
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
        list(map(?function, ?list[:9]))
        list(filter(None, ?list))
        list(?dict.values())
        list(enumerate(?list))[0:0]
        [?int(v:int) for $v in ?list^[:9]]  ## x4
        [?int(v:int) for $v in ?list^[:9] if ?bool(v:int)]  ## x2
        [?int(v:int) for $v in range(?small)]
        [?int(v:int, w:int) for $v in ?list^[:9] for $w in (1, 2)]  ## grows
        [?int(v:int, w:int) for $v in (0, 1) if ?bool(v:int) for $w in ?list^(v:int)[:9]]  ## grows
        [$w for $v in [?list^] for $w in $v]  ## grows
        [len($w) for $w in [[?int^(v:int), ?int^(v:int)] for $v in ?list^[:9]]]
        [?int(v:int, w:str) for $v, $w in ?pairs^[:9]]
        [?int(v:int, w:int) for $v, $w in enumerate(?list^[:9])]
        [?int(v:int) for $v, *$w in [?list^[:3]]]
        [(lambda: $v)() for $v in ?list^]
        [$w() for $w in [lambda: $v for $v in ?list^]]
        list(?int(v:int) for $v in ?list^[:9])  ## feature generators
        [*(?int(v:int) for $v in ?list^[:9])]  ## feature generators
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
        [?str(v:str) for $v in ?words^[:9]]
        [?str(v:int) for $v in ?list^[:9]]
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
        [(?int(v:int), ?str(v:int)) for $v in ?list^[:9]]
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
        tuple(?int(v:int) for $v in ?list^[:9])  ## feature generators
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
        {?str(v:int): ?int(v:int) for $v in ?list^[:9]}  ## x2
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
        {?int(v:int) for $v in ?list^[:9]}  ## x2
        {?int(v:int) for $v in ?list^[:9] if ?bool(v:int)}
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
}
