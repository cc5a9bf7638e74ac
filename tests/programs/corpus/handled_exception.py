"""sys.exc_info and bare raise through calls, generators and nested handlers."""
import sys
def now():
    e = sys.exc_info()[1]
    return e and e.args
def gen():
    print("gen", now())
    try:
        raise KeyError("in gen")
    except KeyError:
        print("gen handler", now())
        yield 1
        print("gen again", now())
    print("gen after", now())
    yield 2
def main():
    print(now())
    try:
        raise ValueError("outer")
    except ValueError:
        print(now())
        g = gen()
        next(g)
        print("between", now())
        try:
            raise OSError("inner")
        except OSError:
            print(now(), next(g))
        print(now())
        def reraise():
            raise
        try:
            reraise()
        except ValueError as e:
            print("bare raise", e)
    print(now())
    try:
        raise
    except RuntimeError as e:
        print(type(e).__name__)
    for i in range(2):
        try:
            raise ValueError(i)
        except ValueError:
            if i == 0:
                continue
            break
    print(now())


if __name__ == "__main__":
    main()
