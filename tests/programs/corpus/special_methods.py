"""Operators find their methods, reflected ones and NotImplemented too."""
class N:
    def __init__(self, v): self.v = v
    def __repr__(self): return f"N({self.v})"
    def __add__(self, o): print("add"); return N(self.v + (o.v if isinstance(o, N) else o))
    def __radd__(self, o): print("radd"); return N(o + self.v)
    def __iadd__(self, o): print("iadd"); self.v += 100; return self
    def __sub__(self, o): return NotImplemented
    def __rsub__(self, o): print("rsub"); return "rsub"
    def __eq__(self, o): print("eq"); return isinstance(o, N) and self.v == o.v
    def __lt__(self, o): print("lt"); return self.v < o.v
    def __bool__(self): print("bool"); return self.v > 0
    def __len__(self): return 7
    def __getitem__(self, k): return ("item", k)
    def __setitem__(self, k, v): print("set", k, v)
    def __delitem__(self, k): print("del", k)
    def __contains__(self, k): print("contains", k); return k == 1
    def __call__(self, *a, **k): return (a, k)
    def __iter__(self): yield from (self.v, self.v + 1)
    def __neg__(self): return N(-self.v)
    def __matmul__(self, o): return "mat"
    def __getattr__(self, name):
        if name.startswith("dyn"): return name
        raise AttributeError(name)
    __hash__ = None
def main():
    a, b = N(1), N(2)
    print(a + b, a + 1, 1 + a, a - b if False else "", a @ b, -a)
    try:
        a - b
    except TypeError:
        print("no sub")
    print(5 - a, a == b, a != N(1), a < b, a > b, not a, bool(N(0)))
    print(a[1], a[1:2], a[1, ...], 1 in a, 2 not in a, a(1, k=2), list(a), len(a), a.dynamic)
    a += 1
    a[0] = 2
    a[0:1] = 3
    del a[4]
    a[5] += (1, 2)
    x, y = b
    print(a, x, y, [*a], a and b, N(-1) or b)
    try:
        {a: 1}
    except TypeError:
        print("unhashable")
    try:
        a.missing
    except AttributeError as e:
        print(e)


if __name__ == "__main__":
    main()
