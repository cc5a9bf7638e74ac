"""for, while, else, break, continue, nested."""
def main():
    for i in range(5):
        if i == 1:
            continue
        if i == 4:
            break
        print("for", i)
    else:
        print("never")
    n = 3
    while n:
        n -= 1
        print("while", n)
    else:
        print("while else")
    found = [(a, b) for a in range(4) for b in range(4) if a * b == 6]
    print(found)
    for a in range(3):
        for b in range(3):
            if b == 2:
                break
            if a == b:
                continue
            print(a, b)
        else:
            print("not here")
    for x in ():
        print("empty")
    else:
        print("else of empty")
    while True:
        n += 1
        if n > 3:
            break
    print(n)


if __name__ == "__main__":
    main()
