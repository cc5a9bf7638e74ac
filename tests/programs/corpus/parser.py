"""A recursive-descent parser and evaluator."""
import re
def tokens(text):
    for number, op in re.findall(r"\s*(?:(\d+)|(.))", text):
        yield int(number) if number else op
    yield None
class Parser:
    def __init__(self, text):
        self.it = tokens(text)
        self.now = next(self.it)
    def take(self, expected=None):
        now = self.now
        if expected is not None and now != expected:
            raise SyntaxError(f"expected {expected!r}, got {now!r}")
        self.now = next(self.it, None)
        return now
    def expression(self):
        left = self.term()
        while self.now in ("+", "-"):
            op = self.take()
            right = self.term()
            left = (op, left, right)
        return left
    def term(self):
        left = self.atom()
        while self.now in ("*", "/"):
            left = (self.take(), left, self.atom())
        return left
    def atom(self):
        if self.now == "(":
            self.take()
            inner = self.expression()
            self.take(")")
            return inner
        if isinstance(self.now, int):
            return self.take()
        raise SyntaxError(f"unexpected {self.now!r}")
def value(tree):
    match tree:
        case int():
            return tree
        case ("+", a, b):
            return value(a) + value(b)
        case ("-", a, b):
            return value(a) - value(b)
        case ("*", a, b):
            return value(a) * value(b)
        case ("/", a, b):
            return value(a) / value(b)
def main():
    for text in ("1 + 2 * 3", "(1 + 2) * 3 - 4 / 2", "7", "2 * (3 + 4) * 5"):
        tree = Parser(text).expression()
        print(tree, value(tree))
    for bad in ("1 +", "(1", ")", ""):
        try:
            Parser(bad).expression()
        except SyntaxError as e:
            print(e.msg)


if __name__ == "__main__":
    main()
