"""Generic functions, classes, aliases; lazily evaluated bounds."""
type Pair[T] = tuple[T, T]
type Tree = list[Tree] | int
def first[T](xs: list[T]) -> T:
    return xs[0]
class Stack[T: (int, str)]:
    def __init__(self): self.items: list[T] = []
    def push(self, x: T): self.items.append(x); return self
    def method[U](self, u: U) -> tuple[T, U]: return (self.items[-1], u)
class Child[V](Stack[int]):
    limit: V
def bounded[B: undefined_name](x: B): return x
def main():
    print(Pair.__name__, Pair.__type_params__, Pair[int].__origin__ is Pair, Tree.__value__)
    print(first([3]), first.__type_params__, Stack().push(1).method("u"), Stack.__type_params__[0].__constraints__)
    print(Child.__orig_bases__[0].__args__, Child.__type_params__, bounded(1))
    try:
        bounded.__type_params__[0].__bound__
    except NameError:
        print("lazy")
    def outer[A, *Ts, **P](a: A):
        def inner(x): return (A, a, x)
        return inner
    print(outer(1)(2), outer.__type_params__)


if __name__ == "__main__":
    main()
