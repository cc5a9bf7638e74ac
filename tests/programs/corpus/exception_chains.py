"""cause, context, suppression, notes and arguments."""
def chain(error):
    found = []
    while error is not None:
        found.append((type(error).__name__, error.args, error.__suppress_context__))
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return found
def main():
    try:
        try:
            {}["k"]
        except KeyError as e:
            raise ValueError("v") from e
    except ValueError as e:
        print(chain(e))
    try:
        try:
            {}["k"]
        except KeyError:
            raise ValueError("v")
    except ValueError as e:
        print(chain(e))
    try:
        try:
            {}["k"]
        except KeyError:
            raise ValueError("v") from None
    except ValueError as e:
        print(chain(e), type(e.__context__).__name__)
    try:
        try:
            1 // 0
        finally:
            {}["k"]
    except KeyError as e:
        print(chain(e))
    for odd in (5, int, None):
        try:
            raise odd
        except TypeError as e:
            print("TypeError", e.__context__)
    try:
        raise ValueError from 5
    except TypeError:
        print("cause must be an exception")


if __name__ == "__main__":
    main()
