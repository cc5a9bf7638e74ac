"""__getattribute__, __getattr__, __setattr__, __delattr__, slots, descriptors, instance dicts."""
class Watch:
    def __init__(self): object.__setattr__(self, "log", [])
    def __setattr__(self, n, v): self.log.append(("set", n, v)); object.__setattr__(self, n, v)
    def __delattr__(self, n): self.log.append(("del", n)); object.__delattr__(self, n)
    def __getattr__(self, n): return "missing " + n
class All:
    def __getattribute__(self, n):
        if n == "x":
            return "always"
        return object.__getattribute__(self, n)
class Slots:
    __slots__ = ("a", "b")
    def __init__(self): self.a = 1
class Cached:
    def __get__(self, o, c):
        if o is None: return self
        o.__dict__["lazy"] = 42
        return 41
class Holder:
    lazy = Cached()
def main():
    w = Watch()
    w.p = 1
    w.p += 5
    del w.p
    print(w.log, w.q)
    a = All()
    a.x = "set"
    print(a.x, a.__dict__)
    s = Slots()
    for n in "ab":
        print(getattr(s, n, "unset"))
    try:
        s.c = 1
    except AttributeError:
        print("no slot")
    h = Holder()
    print(h.lazy, h.lazy, type(Holder.lazy).__name__, getattr(h, "no", 0), hasattr(h, "lazy"))
    bound = "abc".upper
    print(bound(), str.upper("x"), (lambda self: self).__get__(5)(), int.__add__(1, 2))


if __name__ == "__main__":
    main()
