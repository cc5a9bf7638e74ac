"""The function of the README: opshift walks through it, whatever Python compiled it.

opshift trace examples/walk.py:f --args "np.ones(3), np.ones(3)"
"""


def f(x, y):
    z = x * y
    return z + 1
