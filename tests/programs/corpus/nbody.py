"""Floating point in loops: bit for bit."""
def main():
    bodies = [[0.0, 0.0, 0.0, 0.0, 39.0], [4.8, -1.1, 0.6, 2.8, 0.03], [8.3, 4.1, -1.0, 1.8, 0.01]]
    for step in range(50):
        for i, a in enumerate(bodies):
            for b in bodies[i + 1:]:
                dx, dy = a[0] - b[0], a[1] - b[1]
                mag = 0.01 / ((dx * dx + dy * dy) ** 1.5)
                a[2] -= dx * b[4] * mag
                a[3] -= dy * b[4] * mag
                b[2] += dx * a[4] * mag
                b[3] += dy * a[4] * mag
        for b in bodies:
            b[0] += 0.01 * b[2]
            b[1] += 0.01 * b[3]
    for b in bodies:
        print([x.hex() for x in b])


if __name__ == "__main__":
    main()
