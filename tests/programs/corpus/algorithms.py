"""Sorting, searching, graphs and dynamic programming by hand."""
def quicksort(xs):
    if len(xs) <= 1:
        return xs
    pivot, *rest = xs
    return quicksort([x for x in rest if x < pivot]) + [pivot] + quicksort([x for x in rest if x >= pivot])
def sieve(n):
    marks = [True] * (n + 1)
    marks[0:2] = [False, False]
    for i in range(2, int(n ** 0.5) + 1):
        if marks[i]:
            marks[i * i::i] = [False] * len(marks[i * i::i])
    return [i for i, m in enumerate(marks) if m]
def shortest(graph, start):
    seen, todo = {start: 0}, [start]
    while todo:
        node = todo.pop(0)
        for other, cost in graph[node].items():
            new = seen[node] + cost
            if other not in seen or new < seen[other]:
                seen[other] = new
                todo.append(other)
    return dict(sorted(seen.items()))
def lcs(a, b):
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            table[i + 1][j + 1] = table[i][j] + 1 if x == y else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]
def queens(n, row=0, columns=()):
    if row == n:
        return 1
    return sum(queens(n, row + 1, columns + (c,)) for c in range(n)
               if all(c != d and abs(c - d) != row - r for r, d in enumerate(columns)))
def permutations(xs):
    if not xs:
        yield []
    for i, x in enumerate(xs):
        for rest in permutations(xs[:i] + xs[i + 1:]):
            yield [x] + rest
def main():
    print(quicksort([3, 1, 4, 1, 5, 9, 2, 6]), sieve(30))
    print(shortest({"a": {"b": 1, "c": 5}, "b": {"c": 2}, "c": {"a": 1}}, "a"), lcs("kitten", "sitting"))
    print(queens(6), list(permutations([1, 2, 3])))


if __name__ == "__main__":
    main()
