"""C code that calls back: sort keys, map, filter, reduce, dict lookups, properties."""
import functools
class Key:
    def __init__(self, v): self.v = v
    def __lt__(self, o): return self.v < o.v
    def __hash__(self): return 1
    def __eq__(self, o): return self.v == o.v
    @property
    def double(self): return self.v * 2
def main():
    print(sorted([3, 1, 2], key=lambda x: -x), max("abc", key=ord), list(map(lambda a, b: a + b, [1, 2], [3, 4])))
    print(functools.reduce(lambda a, b: a * b, range(1, 6)), [k.v for k in sorted([Key(2), Key(1)])])
    d = {Key(1): "one", Key(2): "two"}
    print(d[Key(2)], Key(3) in d, len({Key(1), Key(1)}), Key(4).double)
    def bad(x):
        raise ValueError(x)
    try:
        sorted([1, 2], key=bad)
    except ValueError as e:
        print(e)
    print(list(filter(lambda x: x % 2, range(5))), functools.partial(lambda a, b: (a, b), 1)(2))
    @functools.lru_cache(maxsize=None)
    def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
    print(fib(30), fib.cache_info().hits)
    @functools.wraps(fib)
    def wrapped(n): return fib(n)
    print(wrapped.__name__, wrapped(5))
    print(functools.cmp_to_key(lambda a, b: b - a)(1) < functools.cmp_to_key(lambda a, b: b - a)(0))


if __name__ == "__main__":
    main()
