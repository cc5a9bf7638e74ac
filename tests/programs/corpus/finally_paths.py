"""finally runs once on every way out, and its own way out wins."""
def way(kind, log):
    for i in range(2):
        try:
            log.append(("try", i))
            if kind == "return":
                return "returned"
            if kind == "break":
                break
            if kind == "continue":
                continue
            if kind == "raise":
                raise ValueError(kind)
        except ValueError:
            log.append("except")
            if i:
                raise
        else:
            log.append("else")
        finally:
            log.append(("finally", i))
    return "end"
def overridden():
    try:
        return "first"
    finally:
        log = ["cleanup"]
        print(log)
def nested():
    for i in range(3):
        try:
            try:
                if i == 1:
                    continue
                print("body", i)
            finally:
                print("inner", i)
        finally:
            print("outer", i)
def main():
    for kind in ("return", "break", "continue", "raise", ""):
        log = []
        try:
            print(kind, way(kind, log), log)
        except ValueError as error:
            print("raised", error, log)
    print(overridden())
    nested()


if __name__ == "__main__":
    main()
