"""What raises, or very likely does, and the exceptions that programs raise and catch."""

from __future__ import annotations

FAULTY: dict[str, str] = {
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

ERRORS: dict[str, str] = {
    "bare_error_type": """
        ValueError
        TypeError
        ZeroDivisionError
        Trouble  ## uses Trouble
    """,
    "plain_error_type": """
        ValueError
        TypeError
        Exception
        Trouble  ## uses Trouble
        LookupError
    """,
    "error_type": """
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
    """,
    "error": """
        ValueError(?int)  ## x3
        ValueError
        Trouble(?int)  ## uses Trouble x2
        KeyError(?str)
        ZeroDivisionError
        StopIteration(?int)
        Trouble  ## uses Trouble
        RuntimeError('r', ?any)
    """,
}
