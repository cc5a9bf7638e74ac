"""Deferred annotations, except without brackets, finally."""
class K:
    later: Later
    now: int = 1
def f(x: Later, y: int) -> Unknown:
    return y
class Later: pass
def main():
    print(K.__annotations__["later"] is Later, sorted(K.__annotations__))
    try:
        f.__annotations__
    except NameError as e:
        print(type(e).__name__)
    try:
        {}["k"]
    except KeyError, IndexError:
        print("either")


if __name__ == "__main__":
    main()
