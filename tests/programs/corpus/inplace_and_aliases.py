"""In-place operators on shared objects, evaluated once, targets in order."""
def say(x):
    print("say", x)
    return x
class Box:
    def __init__(self, v): self.v = v
def main():
    a = b = [1]
    a += [2]
    a = a + [3]
    print(a, b)
    t = (1,)
    u = t
    t += (2,)
    print(t, u)
    xs = [[0], [1]]
    xs[say(0)] += [say(5)]
    box = Box(xs)
    box.v[1] += [9]
    box.v += [7]
    print(xs, box.v is xs)
    t = ([1],)
    try:
        t[0] += [2]
    except TypeError:
        print("still changed", t)
    i = 0
    arr = [10, 20, 30]
    i, arr[i] = 2, "changed"
    print(i, arr)
    s = {1}
    r = s
    s |= {2}
    s -= {1}
    print(r, "ab" * 2)
    x = 5
    x -= (x := 2)
    print(x)


if __name__ == "__main__":
    main()
