"""Literals, captures, sequences, mappings, classes, or, as, guards."""
class P:
    __match_args__ = ("x", "y")
    def __init__(self, x, y):
        self.x, self.y = x, y
def kind(v):
    match v:
        case 0 | 1:
            return "small"
        case int(n) if n > 100:
            return "big", n
        case "a" | "b" as letter:
            return "letter", letter
        case None | True | False:
            return "constant"
        case []:
            return "empty"
        case [x]:
            return "one", x
        case [first, *middle, last]:
            return first, middle, last
        case {"kind": "point", "at": [x, y], **rest}:
            return "point", x, y, rest
        case {"n": int() as n}:
            return "n", n
        case P(0, y=yy):
            return "on axis", yy
        case P(x=xx) if xx < 0:
            return "left", xx
        case P(_, _):
            return "P"
        case float() | complex():
            return "number"
        case str(s):
            return "str", s
        case _:
            return "other"
def main():
    for v in (0, 500, 50, "b", "xyz", None, True, [], [1], [1, 2, 3, 4], (5, 6), {"n": 3}, {"n": "x"},
              {"kind": "point", "at": (1, 2), "extra": 0}, P(0, 3), P(-1, 2), P(4, 4), 2.5, b"b", {1}, "a"):
        print(kind(v))
    match [1, [2, [3, 4]]], {"a": 1}:
        case [a, [b, [*c]]], {"a": d}:
            print(a, b, c, d)
    match 5:
        case x if x > 10:
            print("no")
    print(x)


if __name__ == "__main__":
    main()
