"""Enter, exit, suppression, several managers, every way out."""
class Manager:
    def __init__(self, name, swallow=False):
        self.name, self.swallow = name, swallow
    def __enter__(self):
        print("enter", self.name)
        return self
    def __exit__(self, kind, error, tb):
        print("exit", self.name, kind and kind.__name__, error and error.args, tb is not None)
        return self.swallow
def ways(kind):
    for i in range(2):
        with Manager("a") as a, Manager("b", True) as b:
            if kind == "return":
                return a.name + b.name
            if kind == "break":
                break
            if kind == "continue":
                continue
            if kind == "raise":
                raise ValueError(i)
        print("after", i)
    return "end"
class Broken:
    def __enter__(self):
        return 1
    def __exit__(self, *args):
        raise KeyError("exit")
def main():
    for kind in ("return", "break", "continue", "raise", ""):
        print(kind, ways(kind))
    try:
        with Broken() as x:
            raise ValueError(x)
    except KeyError as e:
        print(type(e.__context__).__name__)
    with (Manager("p") as p, Manager("q")):
        print(p.name)
    for odd in (5, object()):
        try:
            with odd:
                pass
        except (TypeError, AttributeError):
            print("no manager")
    d = {}
    with Manager("t") as d["k"]:
        print(d["k"].name)


if __name__ == "__main__":
    main()
