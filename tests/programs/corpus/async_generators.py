"""asend, athrow, aclose, finalisation and delegation by loops."""
import asyncio
async def numbers(n):
    try:
        for i in range(n):
            got = yield i
            if got:
                print("got", got)
    except ValueError as e:
        yield ("caught", e.args)
    finally:
        await asyncio.sleep(0)
        print("closed")
async def work():
    g = numbers(3)
    print(await g.__anext__(), await g.asend("a"), await g.athrow(ValueError("v")))
    try:
        await g.__anext__()
    except StopAsyncIteration:
        print("stop")
    g = numbers(3)
    print(await g.__anext__())
    await g.aclose()
    async for x in numbers(2):
        print("loop", x)
    print([x async for x in numbers(2) if x], {x: 1 async for x in numbers(1)})
def main():
    asyncio.run(work())


if __name__ == "__main__":
    main()
