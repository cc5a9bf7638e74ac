"""Library code that builds classes and functions from text."""
import dataclasses, enum, collections, typing
@dataclasses.dataclass(order=True)
class D:
    a: int
    b: str = "x"
    c: list = dataclasses.field(default_factory=list, compare=False)
    def __post_init__(self): self.c.append(self.a)
@dataclasses.dataclass(frozen=True)
class F:
    x: int
    def moved(self): return dataclasses.replace(self, x=self.x + 1)
class Colour(enum.Enum):
    RED = 1
    GREEN = 2
    @property
    def lower(self): return self.name.lower()
class Flag(enum.IntFlag):
    A = 1
    B = 2
Point = collections.namedtuple("Point", "x y", defaults=[0])
class T(typing.NamedTuple):
    p: int
    q: str = "q"
def main():
    print(D(1) < D(2), D(1, "y"), D(1) == D(1), dataclasses.asdict(D(3)), F(1).moved())
    try:
        F(1).x = 2
    except dataclasses.FrozenInstanceError:
        print("frozen")
    print(Colour(1).lower, Colour["GREEN"].value, [c.name for c in Colour], (Flag.A | Flag.B).value)
    p = Point(1)
    print(p, p._replace(y=5), T(1), T(1)._asdict())
    c = collections.Counter("abca")
    c.update("a")
    print(c.most_common(1), collections.ChainMap({"a": 1}, {"b": 2})["b"], collections.defaultdict(list, k=[1])["z"])


if __name__ == "__main__":
    main()
