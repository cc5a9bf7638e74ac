"""Displays with stars, slices, deletions, in-place changes."""
def main():
    xs = [1, *range(2, 5), *()]
    t = (*xs, 9)
    s = {*xs, *"ab"}
    d = {"a": 1, **{"b": 2, "a": 3}, "c": 4}
    print(xs, t, sorted(map(str, s)), d)
    print(xs[1:], xs[:-1], xs[::-1], xs[1:3:2], t[-2], xs[:])
    xs[1:2] = ["x", "y"]
    xs[::2] = [0] * len(xs[::2])
    del xs[0], d["a"]
    del xs[1:2]
    xs += [7]
    xs[0] += 1 if isinstance(xs[0], int) else "!"
    d["c"] -= 10
    d |= {"z": 0}
    print(xs, d, len(xs), "z" in d, [] or {} or () or set())


if __name__ == "__main__":
    main()
