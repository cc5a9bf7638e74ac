"""Class scope: names are looked up locally, then globally, and not from methods."""
x = "global"
y = "global y"
def enclosing():
    x = "enclosing"
    class K:
        a = x
        x = "class"
        b = x
        def method(self):
            return x
        c = [x for _ in range(1)]
        d = (lambda: x)()
        e = [v for v in x]
        del x
        f = x
        y = y
    return K
def main():
    k = enclosing()
    print(k.a, k.b, k().method(), k.c, k.d, k.e, k.f, k.y)


if __name__ == "__main__":
    main()
