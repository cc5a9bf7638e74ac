"""Mutual, deep enough, with closures, and the limit."""
import sys
def even(n):
    return True if n == 0 else odd(n - 1)
def odd(n):
    return False if n == 0 else even(n - 1)
def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))
def hanoi(n, a, b, c):
    return [] if n == 0 else hanoi(n - 1, a, c, b) + [(a, c)] + hanoi(n - 1, b, a, c)
def endless():
    return endless() + 1
def main():
    fib = lambda n: n if n < 2 else fib(n - 1) + fib(n - 2)
    print(even(100), ackermann(2, 3), len(hanoi(5, "a", "b", "c")), fib(12))
    try:
        endless()
    except RecursionError as e:
        print(type(e).__name__)


if __name__ == "__main__":
    main()
