"""t-strings: parts, interpolations, conversions, formats, nesting."""
def say(x):
    print("say", x)
    return x
def main():
    name, n = "w", 3
    t = t"hello {name!r:>{n}} and {n + 1}!"
    print(t.strings, [(i.value, i.expression, i.conversion, i.format_spec) for i in t.interpolations])
    print(t"{say(1)}{say(2):{say(3)}}".values, list(t"a" t"{n}"), t"".strings, type(t).__name__)
    print((t"x{n}" + t"y").strings, [type(p).__name__ for p in t"a{n}b"])


if __name__ == "__main__":
    main()
