"""contextlib: contextmanager, ExitStack, suppress, closing."""
import contextlib
@contextlib.contextmanager
def tag(name, swallow=False):
    print("<" + name)
    try:
        yield name.upper()
    except ValueError as e:
        print("seen", e)
        if not swallow:
            raise
    finally:
        print(name + ">")
def main():
    with tag("a") as a, tag("b"):
        print(a)
    with tag("c", swallow=True):
        raise ValueError("v")
    try:
        with tag("d"):
            raise ValueError("w")
    except ValueError as e:
        print("out", e)
    with contextlib.ExitStack() as stack:
        for n in "xy":
            stack.enter_context(tag(n))
        stack.callback(print, "callback")
    with contextlib.suppress(KeyError):
        {}["k"]
    @tag("deco")
    def f(): return 1
    print(f())
    @contextlib.contextmanager
    def twice():
        yield 1
        yield 2
    try:
        with twice():
            pass
    except RuntimeError as e:
        print(type(e).__name__)


if __name__ == "__main__":
    main()
