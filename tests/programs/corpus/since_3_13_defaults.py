"""Defaults of type parameters; locals() as snapshots."""
class Box[T = int, *Ts = *tuple[int, str]]:
    pass
type Alias[T = list[int]] = dict[str, T]
def main():
    print([p.__default__ for p in Box.__type_params__][0], Alias.__type_params__[0].has_default())
    x = 1
    first = locals()
    y = 2
    second = locals()
    second["x"] = "changed"
    print(first is second, sorted(first), x, sorted(second))


if __name__ == "__main__":
    main()
