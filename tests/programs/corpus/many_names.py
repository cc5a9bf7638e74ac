"""More locals, constants and names than fit into one byte, and long jumps over them."""
def main():
    values = list(range(300))
    text = "def f(flag):\n" + "".join(f"    v{i} = {i}.5\n" for i in range(300))
    text += "    total = 0.0\n    for i in range(3):\n        if flag:\n            continue\n"
    text += "".join(f"        total += v{i}\n" for i in range(300))
    text += "    else:\n        total += 1\n    def g(): return v0 + v299\n    return total, g()\n"
    space = {}
    exec(text, space)
    print(space["f"](0), space["f"](1))
    exec("t = (" + ", ".join(f"n{i}" for i in range(300)) + ")", {**{f"n{i}": i for i in values}}, space)
    print(sum(space["t"]), len(space["t"]))
    exec("def h(" + ", ".join(f"a{i}=0" for i in range(300)) + "): return a0, a299", space)
    print(space["h"](1, a299=2))
    exec("d = {" + ", ".join(f"'k{i}': {i}" for i in range(300)) + "}; k = dict(" + ", ".join(f"k{i}={i}" for i in range(300)) + ")", space)
    print(space["d"] == space["k"], len(space["d"]))


if __name__ == "__main__":
    main()
