"""asyncio: gather, tasks, cancellation, queues, timeouts by hand."""
import asyncio
async def worker(name, queue, out):
    while True:
        item = await queue.get()
        out.append((name, item))
        queue.task_done()
async def slow(log):
    try:
        await asyncio.sleep(10)
    except asyncio.CancelledError:
        log.append("cancelled")
        raise
    finally:
        log.append("finally")
async def boom():
    await asyncio.sleep(0)
    raise KeyError("boom")
async def work():
    queue, out, log = asyncio.Queue(), [], []
    tasks = [asyncio.create_task(worker(i, queue, out)) for i in range(2)]
    for i in range(4):
        queue.put_nowait(i)
    await queue.join()
    for t in tasks:
        t.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print(sorted(item for _, item in out))
    t = asyncio.create_task(slow(log))
    await asyncio.sleep(0)
    t.cancel()
    try:
        await t
    except asyncio.CancelledError:
        print(log)
    print([type(r).__name__ for r in await asyncio.gather(boom(), asyncio.sleep(0, 5), return_exceptions=True)])
    event = asyncio.Event()
    async def setter():
        event.set()
    asyncio.create_task(setter())
    await event.wait()
    return "done"
def main():
    print(asyncio.run(work()))


if __name__ == "__main__":
    main()
