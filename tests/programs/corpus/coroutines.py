"""Coroutines driven by hand: await, exceptions, close, async with and async for."""
class Pause:
    def __init__(self, v): self.v = v
    def __await__(self):
        got = yield self.v
        return got
class Manager:
    async def __aenter__(self):
        print("aenter", await Pause("entering"))
        return self
    async def __aexit__(self, kind, error, tb):
        print("aexit", kind and kind.__name__, await Pause("leaving"))
        return kind is ValueError
class Stream:
    def __init__(self, n): self.n = n
    def __aiter__(self): return self
    async def __anext__(self):
        if not self.n:
            raise StopAsyncIteration
        self.n -= 1
        return await Pause(self.n)
def drive(c):
    log = []
    value = None
    try:
        while True:
            log.append(c.send(value))
            value = len(log)
    except StopIteration as e:
        return log, e.value
async def work():
    async with Manager():
        print("body", await Pause("in"))
        raise ValueError("swallowed")
    total = []
    async for x in Stream(2):
        total.append(x)
    else:
        total.append("else")
    return total
async def comps():
    return [x async for x in Stream(2)], {await Pause(k) for k in (1,)}, [y async for y in (z async for z in Stream(1))]
def main():
    print(drive(work()))
    print(drive(comps()))
    c = work()
    c.send(None)
    try:
        c.throw(KeyError("k"))
    except KeyError as e:
        print("through", e)
    c = work()
    c.close()
    try:
        c.send(None)
    except RuntimeError:
        print("already awaited")
    async def bad():
        await 5
    try:
        drive(bad())
    except TypeError:
        print("not awaitable")


if __name__ == "__main__":
    main()
