"""traceback.print_exc and format of an exception with cause and context."""
import traceback
def a(): b()
def b():
    try:
        1 // 0
    except ZeroDivisionError as e:
        raise ValueError("from b") from e
def main():
    try:
        a()
    except ValueError as e:
        lines = traceback.format_exception(type(e), e, e.__traceback__)
        text = "".join(lines)
        print([line.strip() for line in text.splitlines() if line.strip().startswith(("ValueError", "ZeroDiv", "The above"))])
        print([(s.name, s.line) for s in traceback.extract_tb(e.__traceback__)][-2:])
    print(traceback.format_exception_only(KeyError, KeyError("k")))
    summary = traceback.TracebackException(ValueError, ValueError("v"), None)
    print(list(summary.format()))


if __name__ == "__main__":
    main()
