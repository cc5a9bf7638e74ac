"""Private names in classes, calls and nested functions."""
__top = "module"
class A:
    __x = 1
    def get(self):
        return self.__x
    def set(self, v):
        self.__x = v
        def inner():
            return self.__x + 1
        return inner()
    def __private(self, __arg=2):
        __local = __arg
        return __local
    def call(self):
        return self.__private(), self._A__private(_A__arg=3)
class _B(A):
    __x = 5
    def both(self):
        return self.__x, self._A__x
def main():
    a = A()
    print(a.get(), a.set(10), a.get(), a.call(), sorted(k for k in vars(a)), _B().both())
    print([k for k in vars(A) if "private" in k], hasattr(a, "__x"))


if __name__ == "__main__":
    main()
