"""locals(), exec and eval with and without namespaces."""
x = "global"
def f(a):
    b = 2
    names = sorted(locals())
    c = [k for k in sorted(locals()) if k in "abc"]
    return names, c
def main():
    print(f(1))
    print(eval("x"), eval("x + y", {"x": 1, "y": 2}), eval("a", {}, {"a": 3}))
    space = {}
    exec("def g(n):\n    return n * k\nk = 3\nresult = [g(i) for i in range(3)]", space)
    print(space["result"], space["g"](5))
    code = compile("a + 1", "<text>", "eval")
    print(eval(code, {"a": 41}), code.co_names)
    class K:
        y = 1
        here = sorted(k for k in locals() if not k.startswith("__"))
    print(K.here, "y" in vars(K), dir(K())[-1])


if __name__ == "__main__":
    main()
