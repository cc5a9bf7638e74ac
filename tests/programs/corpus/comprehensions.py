"""All four kinds, nested, with conditions, and their scopes."""
def main():
    n = 10
    print([n for n in range(3)], n)
    print({k: v for k, v in zip("abc", range(3)) if v != 1})
    print(sorted({x % 3 for x in range(10)}))
    print([[i * j for j in range(3)] for i in range(3)])
    print([(x, y) for x in range(3) if x for y in "ab" if y != "a" or x > 1])
    print([f() for f in [lambda: i for i in range(3)]], [f() for f in [lambda i=i: i for i in range(3)]])
    print(list(x * n for x in range(3)), sum(x for x in [1, 2]), any(x > 1 for x in (1, 2)))
    print([last := x for x in range(4)], last)
    print([[x for x in row if x] for row in ([0, 1], [2, 0])])


if __name__ == "__main__":
    main()
