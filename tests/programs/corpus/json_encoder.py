"""A recursive encoder and decoder, with errors."""
def encode(v, depth=0):
    if depth > 5:
        raise RecursionError("too deep")
    if v is None or v is True or v is False:
        return {None: "null", True: "true", False: "false"}[v]
    if isinstance(v, (int, float)):
        return repr(v)
    if isinstance(v, str):
        return '"' + "".join({'"': '\\"', "\n": "\\n"}.get(c, c) for c in v) + '"'
    if isinstance(v, (list, tuple)):
        return "[" + ",".join(encode(x, depth + 1) for x in v) + "]"
    if isinstance(v, dict):
        return "{" + ",".join(f"{encode(str(k))}:{encode(x, depth + 1)}" for k, x in v.items()) + "}"
    raise TypeError(f"cannot encode {type(v).__name__}")
def main():
    import json
    data = {"a": [1, 2.5, None, True], "b": {"c": 'x"y\n'}, "d": ()}
    print(encode(data), json.loads(encode(data)) == json.loads(json.dumps(data)))
    for bad in ({1, 2}, [[[[[[[1]]]]]]], object):
        try:
            print(encode(bad))
        except (TypeError, RecursionError) as e:
            print(type(e).__name__, e)


if __name__ == "__main__":
    main()
