"""Forms of import, failures, packages."""
def main():
    import math, os.path as p
    from math import floor, ceil as up
    import collections.abc
    from collections import abc as again
    print(math.sqrt(16), p.basename("a/b"), floor(1.5), up(1.5), collections.abc is again)
    for text in ("import no_such_module", "from math import no_such_name", "from . import x"):
        try:
            exec(text, {"__name__": "nowhere"})
        except ImportError as e:
            print(type(e).__name__)
    space = {}
    exec("from math import *", space)
    print("cos" in space, "__doc__" in space and space["__doc__"] is None)


if __name__ == "__main__":
    main()
