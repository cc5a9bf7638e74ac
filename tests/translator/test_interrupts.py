"""An interrupt (Ctrl-C) ends an endless loop, wherever the machine is when it comes."""

from __future__ import annotations

import signal
from functools import partial

import pytest

from translator.events import WatchedInterpreter
from translator.interpreter import Interpreter


def counts(start):
    start()
    n = 0
    while True:
        n += 1


def does_nothing(start):
    start()
    while True:
        pass


def calls(start):
    start()

    def one(x):
        return x

    while True:
        one(1)


def catches(start):
    start()
    n = 0
    while True:
        try:
            n += len([1])
        except ValueError:
            n = 0


def generates(start):
    start()

    def endless():
        while True:
            yield 1

    for _ in endless():
        pass


@pytest.mark.parametrize("machine", [Interpreter, WatchedInterpreter])
@pytest.mark.parametrize("function", [counts, does_nothing, calls, catches, generates])
def test_an_endless_loop_is_interrupted(function, machine):
    running = machine()
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        for turn in range(6):
            start = partial(signal.setitimer, signal.ITIMER_REAL, 0.004 + turn * 0.0013)
            with pytest.raises(KeyboardInterrupt):
                running.run(function, start)
            assert running.frame is None and not running.stack
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
