"""What CPython 3.13 added: defaults of type parameters."""

type Alias[T = int, *Ts = *tuple[int, str], **P = [int]] = T


class Container[T: object = dict[str, int]]:
    def __init__(self):
        self.first, self.second = T, T


def function[T = None](x: T = ...) -> T:
    if not x:
        return bool(x and not T)
    while not (x == T):
        x = x, x
