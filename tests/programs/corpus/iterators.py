"""The iterator protocol: own ones, exhausted ones, sequences by index, sentinels."""
class Count:
    def __init__(self, n): self.i, self.n = 0, n
    def __iter__(self): return self
    def __next__(self):
        self.i += 1
        if self.i > self.n:
            raise StopIteration
        return self.i
class Sequence:
    def __getitem__(self, i):
        if i > 3:
            raise IndexError(i)
        return i * i
class Failing:
    def __iter__(self): return self
    def __next__(self): raise KeyError("next")
def main():
    c = Count(3)
    print(next(c), list(c), list(c), next(c, "over"))
    print(list(Sequence()), 9 in Sequence(), *Sequence())
    a, *b = Sequence()
    print(a, b, max(Sequence()), list(zip(Count(2), Sequence())), dict(enumerate("ab")))
    it = iter([1, 2, 3, 4])
    for x in it:
        print(x, next(it))
    xs = [1, 2, 3]
    for x in xs:
        if len(xs) < 6:
            xs.append(x * 10)
    print(xs)
    calls = iter(lambda s=[3, 2, 1]: s.pop(), 3)
    print(list(calls))
    for odd in (5, Failing()):
        try:
            for x in odd:
                pass
        except (TypeError, KeyError) as e:
            print(type(e).__name__)
    d = {"a": 1}
    try:
        for k in d:
            d["b"] = 2
    except RuntimeError:
        print("changed size")


if __name__ == "__main__":
    main()
