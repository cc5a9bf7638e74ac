"""Order, arguments, classes as decorators, stacked."""
def say(name):
    print("make", name)
    def deco(f):
        print("apply", name, getattr(f, "__name__", f))
        return f
    return deco
@say("outer")
@say("inner")
def f(x=print("default")):
    return "f"
class Wrap:
    def __init__(self, f):
        self.f = f
    def __call__(self, *a):
        return "wrapped", self.f(*a)
@Wrap
def g(n):
    return n
def main():
    print(f(), g(3))
    @(lambda c: say("class")(c))
    @say("K")
    class K:
        @say("method")
        def m(self): return 1
        @staticmethod
        @say("static")
        def s(): return 2
    print(K().m(), K.s())


if __name__ == "__main__":
    main()
