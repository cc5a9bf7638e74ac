"""What functions carry: defaults, names, dicts, annotations, code, signatures."""
import inspect
def f(a: int, b: "str" = "x", *args: float, c: list = None, **kw) -> bool:
    """Doc."""
    return a
def main():
    print(f.__name__, f.__qualname__, f.__doc__, f.__defaults__, f.__kwdefaults__, f.__module__ == __name__)
    print(sorted(f.__annotations__), f.__annotations__["a"], inspect.signature(f))
    f.extra = 1
    print(f.__dict__, f.__code__.co_varnames, f.__code__.co_argcount, f.__code__.co_flags & 12)
    f.__defaults__ = ("changed",)
    g = lambda: 0
    g.__name__ = "renamed"
    print(f(1), inspect.signature(f).parameters["b"].default, g.__name__, (lambda: 0).__name__)
    def outer():
        def inner(): pass
        return inner
    print(outer().__qualname__, outer().__closure__, inspect.isfunction(outer), callable(outer))


if __name__ == "__main__":
    main()
