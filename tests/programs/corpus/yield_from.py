"""Delegation: values, sends, throws, closes, to generators and to other iterators."""
def inner():
    try:
        x = yield 1
        print("got", x)
        y = yield 2
        print("got", y)
    except KeyError as e:
        print("inner caught", e)
        yield "after"
    finally:
        print("inner finally")
    return "result"
def outer():
    r = yield from inner()
    print("r", r)
    s = yield from [7, 8]
    print("s", s)
    return r
def main():
    g = outer()
    print(next(g), g.send("a"), g.send("b"), next(g))
    try:
        next(g)
    except StopIteration as e:
        print("value", e.value)
    g = outer()
    print(next(g), g.throw(KeyError("k")), next(g))
    g.close()
    g = outer()
    next(g)
    try:
        g.throw(OSError("o"))
    except OSError as e:
        print("through", e)
    def chain(n):
        if n:
            yield from chain(n - 1)
        yield n
    print(list(chain(20))[-1])
    def bad():
        yield from 5
    try:
        list(bad())
    except TypeError:
        print("not iterable")


if __name__ == "__main__":
    main()
