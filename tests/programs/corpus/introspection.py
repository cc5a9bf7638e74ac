"""Generators, coroutines and functions satisfy inspect and types."""
import inspect, types
def gen():
    x = 1
    yield x
async def coro(): pass
async def agen(): yield
def main():
    g, c, a = gen(), coro(), agen()
    print(isinstance(g, types.GeneratorType), isinstance(c, types.CoroutineType), isinstance(a, types.AsyncGeneratorType))
    print(inspect.isgeneratorfunction(gen), inspect.iscoroutinefunction(coro), inspect.isasyncgenfunction(agen))
    print(inspect.getgeneratorstate(g), next(g), inspect.getgeneratorstate(g), list(g), inspect.getgeneratorstate(g))
    print(g.__name__, c.__qualname__, a.__name__, g.gi_frame, inspect.getcoroutinestate(c))
    c.close()
    print(inspect.getcoroutinestate(c), inspect.isawaitable(coro) )
    print(type(gen.__code__).__name__, [k.name for k in inspect.signature(lambda p, *, q: 0).parameters.values()])


if __name__ == "__main__":
    main()
