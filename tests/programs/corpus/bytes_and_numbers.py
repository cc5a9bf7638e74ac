"""Other builtin types: bytes, complex, big integers, conversions."""
def main():
    b = b"abc" + bytes([100])
    m = bytearray(b)
    m[0] += 1
    m[1:2] = b"ZZ"
    print(b, m, b[0], b[1:], b"%d" % 5, list(memoryview(b))[:2], b.hex())
    c = 1 + 2j
    print(c * c, abs(3 + 4j), c.conjugate(), -c, complex("1j"))
    n = 2 ** 200
    print(n % 10 ** 9, n.bit_length(), hash(2 ** 61 - 1), -n >> 190, n // 3 ** 50, int("ff", 16), 0x_ff, 0b101, 1_000)
    print(int(3.99), float("1e3"), str(1.0), round(2.5), round(-1.55, 1), bool(""), chr(233), ord("é"))
    print(float("nan") != float("nan"), float("inf") > 10 ** 300, (0.1).hex(), 1e22, 1e-7, 123456789.123)


if __name__ == "__main__":
    main()
