"""Statements that only newer versions parse, by feature."""

# ruff: noqa: E501 (a template is read best on one line)
from __future__ import annotations

from fuzz.templates import Template, paragraphs

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

class $K:
    inner = ?int
    type $A[T] = (inner, T, len)
    def m[T: inner](self, v: T = inner) -> T: return v
log.append(($K.$A.__value__[0], $K().m(), $K.m.__type_params__[0].__bound__))  ## uses log
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

#: Each three times: a version has few of them.
STATEMENTS: list[Template] = [
    template for name, text in _NEWER.items() for template in paragraphs(text, name) * 3
]
