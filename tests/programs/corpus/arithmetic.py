"""Every operator, on ints, floats and strings."""
def main():
    a, b = 17, 5
    print(a + b, a - b, a * b, a / b, a // b, a % b, a ** b, a << b, a >> 1, a & b, a | b, a ^ b)
    print(-a, +a, ~a, not a, a - -b, 2 ** -1, -7 // 2, -7 % 3, 7.5 // 2, divmod(-7, 2))
    print(0.1 + 0.2, -0.0, 1e308 * 10, "ab" * 3, [1] * 2, "%s-%d" % ("x", 3))
    x = 10
    x += 3; x -= 1; x *= 4; x //= 5; x %= 7; x **= 3; x <<= 2; x >>= 1; x &= 255; x |= 3; x ^= 1
    print(x)


if __name__ == "__main__":
    main()
