"""Module text: def fake(): pass"""
import functools
from typing import overload, Generic, TypeVar

T = TypeVar("T")
LIMIT: int = 3


@overload
def parse(value: str) -> str: ...
@overload
def parse(value: bytes) -> bytes: ...
def parse(value):
    """Parses a value.

    def in_docstring(): pass
    """
    return value


@functools.lru_cache(maxsize=None)
async def fetch(
    url: str,
    *,
    timeout: float = 1.0,  # def in_comment(): pass
    **more: object,
) -> dict[str, list[int]]:
    def inner(x):
        return lambda y: x + y

    async with open(url) as f:
        return inner(f)


class Base(Generic[T], metaclass=type):
    """A base."""

    field: int = 1
    text = '''
class InString:
    def method(self): pass
'''

    def __init__(self) -> None:
        self.x = 1

    @property
    def size(self) -> int:
        return 1

    @size.setter
    def size(self, value: int) -> None: ...

    @staticmethod
    def make(): return Base()

    class Nested:
        class Deeper:
            def deep(self):
                class Local:
                    pass
                return Local

if LIMIT:
    def conditional(): pass
else:
    def conditional(): return 1

class Generic2[K: str]:
    def get[V](self, key: K, default: V) -> V: return default

type Alias[X] = list[X]
square = lambda x: x * x
