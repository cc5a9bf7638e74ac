"""Stars in comprehensions and generator expressions."""
def main():
    rows, tables = [[1, 2], (3,), range(2)], [{"a": 1}, {"b": 2, "a": 3}]
    print([*r for r in rows], sorted({*r for r in rows}), {**d for d in tables}, list((*r for r in rows)))
    print([*r for r in rows if len(r) > 1], [*(x, y) for x in range(2) for y in "a"])
    try:
        [*x for x in (1,)]
    except TypeError:
        print("not iterable")


if __name__ == "__main__":
    main()
