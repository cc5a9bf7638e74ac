"""except*, splitting, nesting, reraising, naked exceptions."""
def attempt(f):
    try:
        try:
            f()
        except* ValueError as g:
            print("values", [e.args for e in g.exceptions if isinstance(e, ValueError)])
        except* (TypeError, KeyError) as g:
            print("types", len(g.exceptions))
            raise
        else:
            print("else")
        finally:
            print("finally")
    except BaseException as e:
        print(type(e).__name__, [type(x).__name__ for x in getattr(e, "exceptions", ())])
def throw(e):
    raise e
def main():
    attempt(lambda: None)
    attempt(lambda: throw(ValueError(1)))
    attempt(lambda: throw(ExceptionGroup("g", [ValueError(1), TypeError(2)])))
    attempt(lambda: throw(ExceptionGroup("g", [ValueError(1), ExceptionGroup("h", [ValueError(2), OSError(3)])])))
    attempt(lambda: throw(OSError()))
    try:
        try:
            raise ExceptionGroup("g", [ValueError(1), KeyError(2)])
        except* ValueError:
            raise IndexError("new")
        except* KeyError:
            raise NameError("other")
    except ExceptionGroup as g:
        print(g.message == "", sorted(type(e).__name__ for e in g.exceptions), [type(e.__context__).__name__ for e in g.exceptions])
    try:
        try:
            pass
        except* 5:
            pass
        print("not looked at")
    except TypeError:
        print("bad type")
    e = ValueError("v")
    e.add_note("one")
    e.add_note("two")
    print(e.__notes__)


if __name__ == "__main__":
    main()
