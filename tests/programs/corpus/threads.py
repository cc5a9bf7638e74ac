"""Threads, locks, locals, queues, contextvars."""
import threading, queue, contextvars
var = contextvars.ContextVar("var", default=0)
def main():
    out, q, lock = [], queue.Queue(), threading.Lock()
    local = threading.local()
    def work(n):
        local.n = n
        for i in range(3):
            with lock:
                out.append(n * 10 + i)
        q.put(local.n)
    ts = [threading.Thread(target=work, args=(n,)) for n in range(3)]
    for t in ts: t.start()
    for t in ts: t.join()
    print(sorted(out), sorted(q.get() for _ in ts), hasattr(local, "n"))
    def inner():
        var.set(5)
        return var.get()
    context = contextvars.copy_context()
    print(context.run(inner), var.get(), context[var])
    token = var.set(7)
    var.reset(token)
    print(var.get())


if __name__ == "__main__":
    main()
