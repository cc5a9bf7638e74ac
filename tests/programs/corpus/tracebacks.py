"""Lines and functions of the traceback, through nested calls and handlers."""
import sys
def entries(tb):
    found = []
    while tb is not None:
        found.append((tb.tb_frame.f_code.co_name, tb.tb_lineno))
        tb = tb.tb_next
    return found
def deep(n):
    if n == 0:
        return [][
            0]
    return deep(n - 1)
def again():
    try:
        deep(1)
    except IndexError:
        raise KeyError("k")
def main():
    for f in (lambda: deep(2), again, lambda: sorted([1, "a"]), lambda: [x / 0 for x in (1,)]):
        try:
            f()
        except Exception as e:
            names = [name for name, line in entries(e.__traceback__) if name != "<listcomp>"]
            print(type(e).__name__, names, entries(e.__traceback__)[-1][1])
            print(sys.exc_info()[1] is e)
    print(sys.exc_info())


if __name__ == "__main__":
    main()
