"""assert with and without a message; __debug__."""
def check(x):
    assert x > 0, f"x is {x}"
    assert x
    return x
def main():
    print(check(1), __debug__)
    for bad in (0, -1):
        try:
            check(bad)
        except AssertionError as e:
            print(e.args)
    try:
        assert (), [1, 2]
    except AssertionError as e:
        print(e.args)


if __name__ == "__main__":
    main()
