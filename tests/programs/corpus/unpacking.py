"""Tuples, stars, nested targets, swaps; too few and too many."""
def main():
    a, b = 1, 2
    a, b = b, a
    print(a, b)
    (c, (d, *e)), f = (3, "xyz"), [4]
    print(c, d, e, f)
    *g, h = range(4)
    i, *j, k = "ab"
    [l, m] = {"p": 1, "q": 2}
    print(g, h, i, j, k, l, m)
    x = y = [0]
    x[0], y = 5, 6
    print(x, y)
    for wrong in ([1], [1, 2, 3], 5):
        try:
            n, o = wrong
        except (ValueError, TypeError) as error:
            print(type(error).__name__)
    try:
        p, *q, r = [1]
    except ValueError as error:
        print(error)


if __name__ == "__main__":
    main()
