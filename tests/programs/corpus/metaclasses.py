"""__prepare__, __new__, __init__, keywords, __init_subclass__, __set_name__, descriptors."""
class Meta(type):
    @classmethod
    def __prepare__(meta, name, bases, **kw):
        print("prepare", name, kw)
        return {"prepared": name}
    def __new__(meta, name, bases, namespace, **kw):
        print("new", [k for k in namespace if not k.startswith("__")])
        return super().__new__(meta, name, bases, namespace)
    def __init__(cls, name, bases, namespace, **kw):
        print("init", kw)
        super().__init__(name, bases, namespace)
    def __call__(cls, *args):
        print("call", args)
        return super().__call__(*args)
class Field:
    def __set_name__(self, owner, name):
        print("set_name", owner.__name__, name)
        self.name = name
    def __get__(self, instance, owner):
        return self if instance is None else instance.__dict__.get(self.name, "unset")
    def __set__(self, instance, value):
        instance.__dict__[self.name] = value * 2
class Registered:
    found = []
    def __init_subclass__(cls, tag=None, **kw):
        super().__init_subclass__(**kw)
        Registered.found.append((cls.__name__, tag))
def main():
    class K(metaclass=Meta, flag=1):
        a = prepared + "!"
        field = Field()
        def m(self):
            return __class__.a
    k = K()
    k.field = 4
    print(k.field, k.m(), type(K).__name__, K.prepared)
    class R1(Registered, tag="x"): pass
    class R2(R1): pass
    print(Registered.found)
    print(type("Made", (R2,), {"z": 1}).z, Registered.found[-1])
    class Entries:
        def __mro_entries__(self, bases):
            return (int,)
    class FromEntry(Entries()): pass
    print(FromEntry(5) + 1, FromEntry.__bases__)


if __name__ == "__main__":
    main()
