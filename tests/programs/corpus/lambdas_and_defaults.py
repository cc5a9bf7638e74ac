"""Defaults are evaluated once, at definition; lambdas everywhere."""
def say(x):
    print("say", x)
    return x
def f(a=say(1), *, b=say(2)):
    return a, b
def main():
    print(f(), f(5), f(b=6))
    table = {"add": lambda x, y=1: x + y, "neg": lambda x: -x, "none": lambda: None}
    print(table["add"](1), table["add"](1, 2), table["neg"](3), table["none"]())
    compose = lambda *fs: lambda x: compose(*fs[:-1])(fs[-1](x)) if fs else x
    print(compose(lambda x: x + 1, lambda x: x * 10)(5))
    curry = lambda a: lambda b: lambda c: (a, b, c)
    print(curry(1)(2)(3), (lambda: (yield))().__next__())
    print((lambda a, /, b, *c, d=4, **e: (a, b, c, d, e))(1, 2, 3, d=5, z=6))
    fs = [lambda x, n=n: x + n for n in range(3)]
    print([g(10) for g in fs])


if __name__ == "__main__":
    main()
