"""Starred subscripts and star-expressions in index."""
class K:
    def __getitem__(self, k): return k
    def __class_getitem__(cls, k): return ("class", k)
def f(*args: *tuple[int, ...]): return args
def main():
    k = K()
    xs = [1, 2]
    print(k[*xs], k[0, *xs, 3], K[*xs], f(*xs, 5))
    for x in *xs, 9:
        print(x)
    print([y for y in (*xs, *"ab")])


if __name__ == "__main__":
    main()
