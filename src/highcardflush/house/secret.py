"""A wrapper for a secret value. Prints, logs, tracebacks and encoders do not show it; only `reveal` returns it."""

from typing import Generic, NoReturn, TypeVar

T = TypeVar("T")


class Secret(Generic[T]):
    """
    >>> key = Secret(b"1234")
    >>> print(f"{key} {[key]!r}", key.reveal())
    <secret> [<secret>] b'1234'
    """

    __slots__ = ("_value",)
    __hash__ = None  # type: ignore[assignment]  # the hash of a value with few possibilities would reveal it

    def __init__(self, value: T) -> None:
        self._value = value

    def reveal(self) -> T:
        return self._value

    def __repr__(self) -> str:
        return "<secret>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and bool(self._value == other._value)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret cannot be encoded or copied")
