"""The strategies: programs compile, end, give the same twice, reach most opcodes, and shrink."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

from fuzz import features
from fuzz.choices import Choices
from fuzz.oracle import native, observe
from fuzz.programs import EVERYTHING, PLAIN, GeneratedFunction, array_functions, from_script, functions
from fuzz.reduce import reduced
from fuzz.templates import Hole
from fuzz.vocabulary import Vocabulary
from fuzz.vocabulary.literals import LITERALS
from fuzz.writer import Writer
from opcodes import decode, table
from opcodes.decode import HOST

MANY = settings(max_examples=3 * settings.default.max_examples)

anything = st.one_of(functions(), functions(EVERYTHING), array_functions(), array_functions(EVERYTHING))


@MANY
@given(anything)
def test_programs_compile_and_give_the_same_twice(function):
    for call in function.calls:
        assert observe(native, function, call).difference(observe(native, function, call)) is None


@given(anything)
def test_a_program_survives_its_script(function):
    again = from_script(function.script())
    assert again.calls == function.calls
    assert again.entry == function.entry
    first, second = (observe(native, f) for f in (function, again))
    assert first.outcome == second.outcome


@given(functions(PLAIN))
def test_the_plain_language_has_no_features(function):
    assert not function.features
    assert not re.search(r"^\s*(try|with|class|async|match|yield|raise)\b", function.source, re.MULTILINE)


@given(functions(["with"]))
def test_only_the_features_asked_for_are_used(function):
    assert function.features <= {"with"}


def test_an_unknown_feature_is_refused_by_name():
    with pytest.raises(ValueError, match="no feature 'goto'; there are async, "):
        functions(["goto"])


def sample(strategy, count):
    """Programs as a campaign gets them."""
    found: list[GeneratedFunction] = []

    @settings(
        max_examples=count,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(function):
        found.append(function)

    collect()
    return found


@pytest.fixture(scope="module")
def programs():
    return sample(functions(EVERYTHING), 700)


def codes(code):
    yield code
    for constant in code.co_consts:
        if isinstance(constant, type(code)):
            yield from codes(constant)


# What only module level, the REPL, instrumentation or the compiler's rare moods produce.
UNREACHED = re.compile(
    r"INSTRUMENTED_|PRINT_EXPR|IMPORT_STAR|SETUP_ANNOTATIONS|INTERPRETER_EXIT|RESERVED|ENTER_EXECUTOR|CACHE$|"
    r"_NO_INTERRUPT|TRACE_RECORD|GEN_START|COPY_DICT_WITHOUT_KEYS|EXIT_INIT_CHECK|LOAD_CLOSURE|"
    r"CALL_FUNCTION_EX|ASYNC_GEN_WRAP|LOAD_CLASSDEREF|LOAD_LOCALS|DELETE_NAME|LOAD_FROM_DICT|NOP$"
)


def test_a_few_hundred_programs_reach_most_opcodes(programs):
    reached: Counter[str] = Counter()
    for function in programs:
        for code in codes(function.code()):
            for instruction in decode(code):
                if instruction.raw is not None:
                    reached[instruction.raw.opname] += 1
    wanted = {name for name in table(HOST).opmap if not UNREACHED.search(name)}
    missing = sorted(wanted - set(reached))
    assert len(missing) <= 0.12 * len(wanted), f"{len(missing)} of {len(wanted)} never generated: {missing}"


def test_runs_end_in_many_ways(programs):
    outcomes: Counter[str] = Counter()
    effects = 0
    for function in programs:
        seen = observe(native, function)
        outcomes[seen.outcome if seen.outcome == "value" else seen.result[0]] += 1
        effects += bool(seen.effects[2])
    assert 0.35 * len(programs) < outcomes["value"] < 0.95 * len(programs)
    assert len(outcomes) > 8, f"only {dict(outcomes)}"
    assert effects > 0.3 * len(programs)


def test_every_feature_of_this_version_is_used(programs):
    used: set[str] = set().union(*(function.features for function in programs))
    assert features.available() - used - {"lazy_imports", "scopes"} == set()


@pytest.mark.parametrize(
    ("wanted", "longest"),
    [
        (lambda function: "+=" in function.source, 8),
        (lambda function: "lambda" in function.source, 8),
        (lambda function: "for " in function.source and "break" in function.source, 12),
        (lambda function: observe(native, function).result[0] == "ZeroDivisionError", 8),
    ],
)
def test_what_hypothesis_and_the_reducer_leave_is_short(wanted, longest):
    phases = [Phase.generate, Phase.shrink]
    found = find(functions(), wanted, settings=settings(max_examples=3000, database=None, phases=phases))
    small = reduced(found, wanted, seconds=10)
    assert wanted(small)
    assert len(small.source.splitlines()) <= longest, small.script()


def test_the_reducer_leaves_out_what_does_not_end():
    source = "def f(n):\n    i = 0\n    while i < 3:\n        i += 1\n        print(i)\n    return n\n"
    looping = GeneratedFunction(source, ("f(1)",), prelude=("log",))
    small = reduced(looping, lambda function: "while" in function.source, seconds=5)
    assert observe(native, small).outcome in ("value", "raised")
    assert len(small.source) < len(source)


@pytest.mark.parametrize("kind", LITERALS)
def test_literals_stand_where_any_expression_can(kind):
    if kind.endswith("error_type") or kind == "error":
        return
    for text in LITERALS[kind]:
        compile(f"({text}).attribute", "<literal>", "eval")


@pytest.mark.filterwarnings("ignore")
def test_declarations_stand_before_all_else_of_their_function():
    """Each definition there is, with `global` and `nonlocal` wherever they may stand."""
    bytes_of = random.Random(5).randbytes
    vocabulary = Vocabulary(features.available())
    writer = Writer(vocabulary)
    declared = 0
    for definition in vocabulary.definitions:
        if not any(
            isinstance(part, Hole) and part.kind.startswith("body") for part in definition.template.parts
        ):
            continue
        for _ in range(25):
            writer.choices = Declaring(bytes_of(60))
            text = writer.fill(definition.template, 2)
            declared += "global " in text
            compile(text, "<definition>", "exec")
    assert declared > 25


class Declaring(Choices):
    """Every declaration that may be is."""

    def chance(self, one_in):
        return one_in in (2, 6) or super().chance(one_in)
