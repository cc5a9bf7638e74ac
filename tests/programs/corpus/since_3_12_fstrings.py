"""Nested quotes, backslashes, comments and long expressions inside f-strings."""
def main():
    d = {"k": [1, 2]}
    print(f"{d["k"][0]} {"\n".join(["a", "b"])!r} {f"{f"{1 + 1}"}"}")
    print(f"{
        d["k"]  # the list
        [1]
    :>{3}}|", f"{d["k"]!r:^{10}}|")
    print(f"{'a' if True else "b"}", f"{(lambda x: x * 2)(3)}", f"{{{1}}}")


if __name__ == "__main__":
    main()
