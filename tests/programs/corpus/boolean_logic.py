"""and, or, not and conditional expressions keep values and order."""
def say(x):
    print("say", repr(x))
    return x
def main():
    print(say(0) or say("") or say([1]) or say(2))
    print(say(1) and say(0) and say(2))
    print(say(1) if say([]) else say(3))
    print(not say(0) and (say(1) or say(2)), not (say(1) and not say(0)))
    if say(1) and (say(0) or say(3)) and not say(None):
        print("yes")


if __name__ == "__main__":
    main()
