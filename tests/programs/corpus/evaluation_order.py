"""What is evaluated when: calls, displays, subscripts, assignments, comparisons, keywords."""
log = []
def s(x):
    log.append(x)
    return x
class O:
    def __getattr__(self, n): log.append("." + n); return lambda *a, **k: log.append(("call", a, sorted(k)))
    def __getitem__(self, k): log.append(("get", k)); return 0
    def __setitem__(self, k, v): log.append(("set", k, v))
def show():
    print(log)
    log.clear()
def main():
    o = O()
    o.m(s(1), *[s(2)], k=s(3), **{s("z"): s(4)})
    show()
    o[s("a")], o[s("b")] = s(1), s(2)
    show()
    o[s("i")] += s(5)
    show()
    {s("k1"): s("v1"), **{s("k2"): s("v2")}, s("k3"): s("v3")}
    show()
    x = s(1) if s(0) else s(2)
    (s("f"), [].append)[1](s("arg"))
    show()
    [s(i) for i in range(2) if s(True)]
    {s(i): s(-i) for i in (1,)}
    show()
    def f(a=s("default")) -> s("annotation" if False else "r") : pass
    log[:] = [x for x in log if x == "default"]
    show()
    s(3) + s(4) * s(5) - -s(6)
    s(1) < s(0) < s(2)
    show()


if __name__ == "__main__":
    main()
