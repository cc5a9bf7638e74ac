"""global declarations, shadowed builtins, deleted names."""
count = 0
def bump(by=1):
    global count, fresh
    count += by
    fresh = by
    return count
def shadow():
    global len
    len = lambda x: "mine"
    try:
        return len([1])
    finally:
        del len
def unbound(flag):
    if flag:
        value = 1
    return value
def deleted():
    value = 1
    del value
    return value
def main():
    print(bump(), bump(5), count, fresh)
    print(shadow(), len([1]))
    for f in (lambda: unbound(0), deleted, lambda: undefined_name):
        try:
            f()
        except UnboundLocalError:
            print("unbound")
        except NameError:
            print("name")
    print(unbound(1), __name__ != "", sorted(k for k in globals() if k in ("count", "fresh", "main")))
    global count2
    for count2 in range(3):
        pass
    print(count2)


if __name__ == "__main__":
    main()
