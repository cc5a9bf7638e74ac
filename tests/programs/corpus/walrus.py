"""Assignment expressions in conditions, comprehensions, calls and defaults."""
def main():
    data = [3, 0, 5]
    while (n := data.pop()) != 3:
        print(n)
    if (m := n * 2) > 5 and (k := m + 1):
        print(m, k)
    print([y for x in range(4) if (y := x * x) % 2], y)
    print((a := 1) + (b := 2), a, b, (lambda q=(z := 9): q)(), z)
    def f(*args): return args
    print(f(w := 1, w + 1), w)
    print(any((hit := x) > 1 for x in range(4)), hit)
    print({(v := "k"): v}, [v := 1, v + 1], f"{(u := 5)} {u}")


if __name__ == "__main__":
    main()
