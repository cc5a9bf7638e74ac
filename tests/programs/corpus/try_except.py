"""Which handler runs, what is left of the exception's name, else."""
def attempt(f):
    try:
        result = f()
    except ZeroDivisionError:
        return "zero"
    except (KeyError, IndexError) as error:
        return type(error).__name__, error.args
    except Exception as error:
        return "other", type(error).__name__
    else:
        return "fine", result
def main():
    for f in (lambda: 1 // 0, lambda: {}["k"], lambda: [][1], lambda: None.x, lambda: 5):
        print(attempt(f))
    try:
        raise ValueError("v")
    except ValueError as e:
        kept = e
    try:
        e
    except NameError:
        print("unbound", kept)
    try:
        try:
            1 // 0
        except ZeroDivisionError:
            raise
    except ArithmeticError as again:
        print(type(again).__name__, again.__context__)


if __name__ == "__main__":
    main()
