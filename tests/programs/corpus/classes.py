"""Bodies, attributes, methods, properties, inheritance, super."""
class Base:
    kind = "base"
    def __init__(self, x):
        self.x = x
    def who(self):
        return f"{type(self).__name__}({self.x})"
    @property
    def twice(self):
        return self.x * 2
    @twice.setter
    def twice(self, value):
        self.x = value // 2
    @classmethod
    def make(cls):
        return cls(0)
    @staticmethod
    def plain(a):
        return a + 1
class Left(Base):
    def who(self):
        return "left " + super().who()
class Right(Base):
    kind = Base.kind + "!"
    def who(self):
        return "right " + super(Right, self).who()
class Both(Left, Right):
    def __init__(self, x, y):
        super().__init__(x)
        self.y = y
        self.name = __class__.__name__
    def who(self):
        return "both " + super().who()
def main():
    b = Both(3, 4)
    print(b.who(), b.kind, b.twice, Both.plain(1), Right.make().who(), b.name)
    b.twice = 10
    print(b.x, [c.__name__ for c in Both.__mro__], Both.__qualname__, Both.who.__qualname__)
    del b.x
    try:
        b.x
    except AttributeError:
        print("gone")
    class Local(Base):
        items = [n for n in range(3)]
        for item in items:
            last = item
        if last:
            def extra(self):
                return self.items, __class__
    print(Local(1).extra()[0], Local(1).extra()[1] is Local, Local.__qualname__, Local.last)


if __name__ == "__main__":
    main()
