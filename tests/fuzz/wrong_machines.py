"""Machines that are wrong on purpose: targets of the campaigns in the tests."""

from __future__ import annotations

import os
import signal


def right(function, *args, **kwargs):
    """CPython itself."""
    return function(*args, **kwargs)


def boxing(function, *args, **kwargs):
    """Every value comes out in a list."""
    return [function(*args, **kwargs)]


def logging_twice(function, *args, **kwargs):
    """The second effect comes twice."""
    value = function(*args, **kwargs)
    log = function.__globals__.get("log", [])
    if len(log) > 1:
        log.insert(1, log[1])
    return value


def crashing(function, *args, **kwargs):
    """Takes the process with it."""
    os.kill(os.getpid(), signal.SIGSEGV)


def hanging(function, *args, **kwargs):
    """Does not end."""
    while True:
        pass


KEPT = []


def growing(function, *args, **kwargs):
    """Keeps more than the campaign allows."""
    KEPT.append(b"x" * (400 << 20))
    return function(*args, **kwargs)
