"""send, throw, close, return values, state, generators left unfinished."""
def echo(n):
    got = None
    try:
        for i in range(n):
            got = yield (i, got)
    except ValueError as e:
        yield ("caught", e.args)
    finally:
        print("finally")
    return "done"
def main():
    g = echo(3)
    print(next(g), g.send("a"), g.send("b"))
    try:
        next(g)
    except StopIteration as stop:
        print(stop.value)
    g = echo(3)
    print(next(g), g.throw(ValueError("v")))
    g.close()
    g.close()
    print(list(g), next(g, "default"))
    g = echo(2)
    try:
        g.throw(KeyError("early"))
    except KeyError as e:
        print(e)
    try:
        echo(1).send(1)
    except TypeError:
        print("not started")
    g = echo(1)
    next(g)
    del g
    print("deleted")
    def stop():
        yield 1
        raise StopIteration(2)
    try:
        list(stop())
    except RuntimeError as e:
        print(type(e.__cause__).__name__)
    def stubborn():
        try:
            yield 1
        except GeneratorExit:
            yield 2
    g = stubborn()
    next(g)
    try:
        g.close()
    except RuntimeError:
        print("ignored exit")
    def reenter():
        yield next(me)
    me = reenter()
    try:
        next(me)
    except ValueError:
        print("already running")


if __name__ == "__main__":
    main()
