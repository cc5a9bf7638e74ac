"""Ten pure-Python workloads: each takes a size and gives a value to compare."""

from __future__ import annotations


def recursion(n):
    def fib(k):
        return k if k < 2 else fib(k - 1) + fib(k - 2)

    return fib(n)


def nested_loops(n):
    total = 0
    for i in range(n):
        for j in range(n):
            total += (i * j) % 7
            if j & 1:
                total -= i
    return total


def lists_and_dicts(n):
    table = {}
    items = []
    for i in range(n):
        items.append(i * 3 % 17)
        table[i % 50] = table.get(i % 50, 0) + items[-1]
    squares = [x * x for x in items if x > 3]
    return sum(squares), sorted(table.items())[:5], len({k: v for k, v in table.items() if v % 2})


def strings(n):
    words = []
    for i in range(n):
        word = f"{i:05d}:{i % 13}"
        words.append(word.replace("0", "o").upper() + ",".join([word[:2], word[2:]]))
    return len("".join(words)), words[-1]


class Account:
    def __init__(self, owner):
        self.owner = owner
        self.balance = 0

    def deposit(self, amount):
        self.balance += amount
        return self

    @property
    def rich(self):
        return self.balance > 1000


class Savings(Account):
    def deposit(self, amount):
        super().deposit(amount)
        return self.add_interest()

    def add_interest(self):
        self.balance += self.balance // 100
        return self


def methods(n):
    accounts = [Account("a"), Savings("b")]
    for i in range(n):
        for account in accounts:
            account.deposit(i % 5)
    return [account.balance for account in accounts], accounts[0].rich


def generators(n):
    def count(k):
        for i in range(k):  # noqa: UP028 (a loop is what is measured)
            yield i

    def evens(source):
        for x in source:
            if not x % 2:
                yield x

    def flat(k):
        yield from evens(count(k))
        yield from count(k // 2)

    return sum(flat(n)), sum(x * 2 for x in count(n))


def exceptions(n):
    caught = 0
    for i in range(n):
        try:
            if i % 3 == 0:
                raise ValueError(i)
            if i % 5 == 0:
                {}[i]
        except ValueError as error:
            caught += error.args[0] % 2
        except KeyError:
            caught += 2
        finally:
            caught += 1
    return caught


def n_body(n):
    bodies = [
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 39.47],
        [4.84, -1.16, -0.10, 0.60, 2.81, -0.02, 0.037],
        [8.34, 4.12, -0.40, -1.01, 1.82, 0.008, 0.011],
    ]
    for _ in range(n):
        for i in range(len(bodies)):
            a = bodies[i]
            for j in range(i + 1, len(bodies)):
                b = bodies[j]
                dx, dy, dz = a[0] - b[0], a[1] - b[1], a[2] - b[2]
                scale = 0.01 * (dx * dx + dy * dy + dz * dz) ** -1.5
                a[3] -= dx * b[6] * scale
                a[4] -= dy * b[6] * scale
                a[5] -= dz * b[6] * scale
                b[3] += dx * a[6] * scale
                b[4] += dy * a[6] * scale
                b[5] += dz * a[6] * scale
        for body in bodies:
            for axis in range(3):
                body[axis] += 0.01 * body[axis + 3]
    return [round(x, 9) for body in bodies for x in body]


class Packet:
    def __init__(self, link, kind, data):
        self.link = link
        self.kind = kind
        self.data = data


class Task:
    def __init__(self, name, priority):
        self.name = name
        self.priority = priority
        self.queue = None
        self.handled = 0

    def put(self, packet):
        packet.link = None
        if self.queue is None:
            self.queue = packet
            return
        last = self.queue
        while last.link is not None:
            last = last.link
        last.link = packet

    def step(self, tasks):
        packet = self.queue
        if packet is None:
            return False
        self.queue = packet.link
        self.handled += 1
        if packet.data > 0:
            packet.data -= 1
            tasks[(self.priority + packet.kind) % len(tasks)].put(packet)
        return True


def scheduler(n):
    tasks = [Task(name, place) for place, name in enumerate("abcdef")]
    for i in range(6):
        tasks[i].put(Packet(None, i % 3 + 1, n))
    busy = True
    while busy:
        busy = False
        for task in tasks:
            if task.step(tasks):
                busy = True
    return [task.handled for task in tasks]


def encoder(n):
    def encode(value):
        if value is None:
            return "null"
        if value is True or value is False:
            return "true" if value else "false"
        if isinstance(value, str):
            return '"' + value.replace('"', '\\"') + '"'
        if isinstance(value, (int, float)):
            return repr(value)
        if isinstance(value, dict):
            return "{" + ", ".join([encode(k) + ": " + encode(v) for k, v in value.items()]) + "}"
        return "[" + ", ".join([encode(item) for item in value]) + "]"

    tree = [{"name": "x" * (i % 5), "values": [i, i / 2, None, True], "sub": {"k": [i]}} for i in range(n)]
    return len(encode(tree))


#: (workload, size)
WORKLOADS = [
    (recursion, 17),
    (nested_loops, 130),
    (lists_and_dicts, 8000),
    (strings, 4000),
    (methods, 3000),
    (generators, 6000),
    (exceptions, 4000),
    (n_body, 500),
    (scheduler, 400),
    (encoder, 250),
]
