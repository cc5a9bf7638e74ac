"""Cells: read, rebound, shared, deleted, in loops and nested."""
def main():
    x = 1
    def read():
        return x
    def write(v):
        nonlocal x
        x = v
        return read
    print(read(), write(5)(), x)
    def counter():
        n = 0
        def step(by=1):
            nonlocal n
            n += by
            return n
        return step
    a, b = counter(), counter()
    print(a(), a(10), b(), a.__closure__[0].cell_contents)
    fs = []
    for i in range(3):
        fs.append(lambda: i)
    print([f() for f in fs])
    del x
    try:
        read()
    except NameError as error:
        print(type(error).__name__)
    def outer(p):
        def middle():
            def inner():
                nonlocal p
                p *= 2
                return p
            return inner
        return middle()
    f = outer(3)
    print(f(), f())


if __name__ == "__main__":
    main()
