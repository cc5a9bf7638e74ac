"""Every kind of parameter and of argument."""
def f(a, b=2, /, c=3, *args, d, e=5, **kw):
    return a, b, c, args, d, e, sorted(kw.items())
def main():
    print(f(1, d=4), f(1, 2, 3, 4, 5, d=6, z=7, y=8))
    print(f(*[1, 2], *(3,), d=0, **{"q": 1}, **{"r": 2}))
    print((lambda *a, **k: (a, k))(*"ab", x=1, **{}))
    def g(x, acc=[]):
        acc.append(x)
        return acc
    print(g(1), g(2), g(3, []))
    for bad in (lambda: f(), lambda: f(1), lambda: f(1, d=1, a=2, b=3), lambda: g(1, 2, 3), lambda: g(y=1),
                lambda: g(1, **{"x": 2}), lambda: f(*1), lambda: f(**{1: 2}), lambda: g(1, x=2)):
        try:
            print(bad())
        except TypeError:
            print("TypeError")


if __name__ == "__main__":
    main()
