"""Module, class and function documentation and annotations."""
version: int = 3
untouched: "str"
class K:
    """K's doc."""
    a: int = 1
    b: "list[int]"
    def m(self, x: int = 0) -> "K":
        "m's doc"
        y: int = x
        z: undefined_thing
        return y
def main():
    print(K.__doc__, K.m.__doc__, main.__doc__, K.__annotations__, version)
    print(K.m.__annotations__, K().m(4), hasattr(K, "b"), __doc__)


if __name__ == "__main__":
    main()
