"""Chained comparison evaluates each operand once, and stops early."""
def say(x):
    print("say", x)
    return x
def main():
    print(say(1) < say(2) < say(3))
    print(say(3) < say(2) < say(1))
    print(1 < 2 > 1 != 3 == 3 is not None)
    print(1 in [1] in [[1]], "a" not in "abc", None is None, [] is [])
    print((1, 2) < (1, 3), [1] == [1.0], {1: 2} == {1: 2}, {1} <= {1, 2})


if __name__ == "__main__":
    main()
