"""f-strings with conversions, nested specs, debug form, and order of evaluation."""
def say(x):
    print("say", x)
    return x
def main():
    n, s, w = 255, "hé", 8
    print(f"{n}", f"{n:x}", f"{n:>{w}}|", f"{s!r:^10}|", f"{s!a}", f"{n=}", f"{{}}", f"{n!s:>5}")
    print(f"{say(1)}{say(2):>{say(3)}}" + f"{'nested ' + f'{n}'}")
    print("%5.2f|%-5s|%05d" % (3.14159, "ab", 42), "{0}{1!r}{x}".format(1, "b", x=2))
    print("a" "b" f"{n}" "c", s.upper(), s.encode(), "a,b".split(","), "-".join("abc"))


if __name__ == "__main__":
    main()
