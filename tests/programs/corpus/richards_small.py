"""A small scheduler with methods, inheritance and state."""
class Task:
    def __init__(self, name, work): self.name, self.work, self.done = name, work, []
    def run(self):
        if not self.work:
            return None
        item = self.work.pop(0)
        self.done.append(item)
        return self.handle(item)
    def handle(self, item): return item
class Doubler(Task):
    def handle(self, item): return super().handle(item) * 2
class Filter(Task):
    def handle(self, item): return item if item % 2 else "skip"
class Scheduler:
    def __init__(self): self.tasks, self.trace = [], []
    def add(self, task): self.tasks.append(task); return self
    def run(self):
        while self.tasks:
            task = self.tasks.pop(0)
            result = task.run()
            if result is None:
                self.trace.append(f"{task.name} over")
                continue
            self.trace.append((task.name, result))
            self.tasks.append(task)
        return self.trace
def main():
    s = Scheduler().add(Task("t", [1, 2])).add(Doubler("d", [3, 4, 5])).add(Filter("f", [6, 7]))
    for row in s.run():
        print(row)


if __name__ == "__main__":
    main()
