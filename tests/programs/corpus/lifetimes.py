"""When objects die: after reassignment, after a call, after a handler, in a loop."""
import weakref
class Thing:
    def __init__(self, name): self.name = name
    def __del__(self): print("gone", self.name)
def take(x):
    print("in", x.name)
    x = None
    print("let go")
def main():
    a = Thing("a")
    a = Thing("b")
    print("rebound")
    del a
    take(Thing("argument"))
    print("after call")
    Thing("dropped")
    for i in range(2):
        x = Thing(i)
    print("loop over")
    r = weakref.ref(x)
    x = None
    print(r() is None)
    try:
        local = Thing("in frame")
        raise ValueError
    except ValueError as e:
        print("handler")
    del local
    def gen():
        g = Thing("generator")
        yield 1
    it = gen()
    next(it)
    it.close()
    print("closed")
    [Thing("list")]
    (Thing("attribute")).name
    print("end")


if __name__ == "__main__":
    main()
