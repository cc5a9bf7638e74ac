"""Slice objects, own containers, extended slices, deletion."""
class Show:
    def __getitem__(self, k): return k
    def __setitem__(self, k, v): print("set", k, v)
    def __delitem__(self, k): print("del", k)
def main():
    s = Show()
    print(s[1], s[:], s[1:2], s[::3], s[1:2, 3], s[...], s[None:], s[-1:], s[()])
    s[1:2] = 5
    s[::2] = 6
    s[:] += (1,) if False else 0 if False else type("A", (), {"__radd__": lambda self, o: "radd"})()
    del s[1:], s[::2]
    xs = list(range(10))
    xs[2:4] = "abc"
    xs[::3] = [0] * len(xs[::3])
    del xs[1:3], xs[-1]
    n = 3
    print(xs, xs[n:], xs[:n], xs[n:n + 1], "hello"[1:-1], (1, 2, 3)[::-1], xs[slice(1, 3)])
    for bad in (lambda: xs["a":], lambda: xs[::0], lambda: 5[1:2]):
        try:
            bad()
        except (TypeError, ValueError) as e:
            print(type(e).__name__)


if __name__ == "__main__":
    main()
