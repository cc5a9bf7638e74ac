"""Lazy, first iterable eager, closing over names, step by step."""
def main():
    log = []
    def say(x):
        log.append(x)
        return x
    g = (say(x) * k for x in [1, 2, 3] if x != 2 for k in (1, 10))
    print(log, next(g), log, list(g), log)
    try:
        g = (x for x in 5)
        print("lazy")
    except TypeError:
        print("eager")
    xs = [1, 2]
    g = (x for x in xs)
    xs.append(3)
    xs = None
    print(list(g))
    k = 2
    g = (x * k for x in (1, 2))
    k = 5
    print(list(g), all(x for x in (1, 0, say("never"))), any(x for x in (0, 1)))
    print(tuple(x for x in "ab"), sorted({x for x in "ba"}), dict((x, 1) for x in "a"))


if __name__ == "__main__":
    main()
