"""del of names, attributes, items, slices, globals and cells; what is bound after."""
class A: pass
g = 1
def main():
    global g
    a, b, c = 1, [1, 2, 3], A()
    c.x = 1
    del a, b[0], c.x
    print(b, vars(c))
    del b[:1], g
    for f in (lambda: g, lambda: c.x, lambda: b[5]):
        try:
            f()
        except (NameError, AttributeError, IndexError) as e:
            print(type(e).__name__)
    g = 2
    print(g, b)
    try:
        del a
    except UnboundLocalError:
        print("twice")
    for i in range(2):
        x = i
        del x
    try:
        del missing_global
    except NameError:
        print("no such name")
    (d, [e]) = 1, [2]
    del (d, [e])
    print(sorted(k for k in locals() if k in "de"))


if __name__ == "__main__":
    main()
