"""JSON encoding, the base class of all messages, and parts that several messages share."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from operator import attrgetter
from types import UnionType
from typing import Any, Literal, Self, Union, cast, get_args, get_origin, get_type_hints

from litestar import MediaType, Response
from msgspec import UNSET, Struct, UnsetType

from highcardflush.cards import SUITS
from highcardflush.errors import HcfError
from highcardflush.game.legal import WagerOption
from highcardflush.house import codec
from highcardflush.money import MICROS_PER_CENT
from highcardflush.words import Reason, en, say

Convert = Callable[[Any], Any]
PROTOCOL = 1
API = "/api/v1"
Suit = Literal["c", "d", "h", "s"]
encode = codec.ENCODER.encode


def answer(body: bytes) -> Response[Any]:
    """Answer with JSON that is already encoded."""
    return Response(body, media_type=MediaType.JSON)


class Message(Struct, frozen=True, gc=False, omit_defaults=True):
    """Base class of messages and their parts. The JSON omits fields that have their default value."""

    @classmethod
    def of(cls, *sources: Any, **fields: Any) -> Self:
        """Build a message from `fields`. Any other field comes from the first source with an attribute of that name.

        If necessary, values are converted: `at` in microseconds to `at_ms`, `paid_micros` to `paid_cents`, a suit's
        number to its letter, and an object to a message with the message class's `of`.
        """
        for name, place, read in _readers(cls, *map(type, sources)):
            if name not in fields:
                fields[name] = read(sources[place])
        return cls(**fields)

    @classmethod
    def maybe(cls, source: Any) -> Self | None:
        return cls.of(source) if source is not None else None


@cache
def _readers(kind: type[Message], *sources: type) -> list[tuple[str, int, Convert]]:
    """Return each field's name, the index of the source that has it, and a function that reads it."""
    readers = []
    for name, hint in get_type_hints(kind).items():
        for place, source in enumerate(sources):
            if (read := _reader(name, source)) is not None:
                convert = _converter(hint)
                readers.append((name, place, read if convert is None else _both(read, convert)))
                break
    return readers


def _reader(name: str, source: type) -> Convert | None:
    if hasattr(source, name):
        return attrgetter(name)
    stem, _, unit = name.rpartition("_")
    if unit == "ms" and hasattr(source, stem):
        return _both(attrgetter(stem), lambda micros: None if micros is None else micros // 1000)
    if unit == "cents" and hasattr(source, f"{stem}_micros"):
        return _both(attrgetter(f"{stem}_micros"), lambda micros: micros // MICROS_PER_CENT)
    return None


def _both(read: Convert, convert: Convert) -> Convert:
    return lambda source: convert(read(source))


def _converter(hint: Any) -> Convert | None:
    """Return a function that converts a value to this type, or None if no conversion is needed."""
    origin, parts = get_origin(hint), get_args(hint)
    if hint == Suit:
        return suit
    if isinstance(hint, type) and issubclass(hint, Message):
        return hint.of
    if origin in (list, tuple) and (each := _converter(parts[0])) is not None:
        return lambda values: tuple(map(each, values))
    if origin in (Union, UnionType) and (other := next(filter(None, map(_converter, parts)), None)) is not None:
        return lambda value: None if value is None else other(value)
    return None


class Refusal(Message, frozen=True):
    """An error as clients see it, without file name and line number."""

    code: str
    message: str
    read: str | UnsetType = UNSET
    expected: str | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    """Code of this particular refusal, whereas `code` is the same for all refusals of a family."""
    values: dict[str, int | str] | UnsetType = UNSET
    """Values in the message, from which the sentence can be built in other languages."""

    @classmethod
    def of(cls, error: HcfError) -> "Refusal":
        read, expected = (UNSET if text is None else text for text in (error.read, error.expected))
        return cls(error.code, error.message, read, expected, error.reason or UNSET, dict(error.values) or UNSET)


class Failed(Message, frozen=True):
    """Body of every response that reports an error."""

    error: Refusal


class Words(Message, frozen=True):
    """Sentence in English, with the code and the values from which it can be built in other languages."""

    code: str
    values: Mapping[str, int | str]
    text: str
    own_text: str | UnsetType = UNSET
    """Wording for the player whom the sentence is about, such as "you folded"; absent if the wording is the same."""
    more: "tuple[Words, ...]" = ()
    """Sentences that follow this one."""

    @classmethod
    def of(cls, reason: Reason, catalogue: en.Catalogue = en.REASONS) -> "Words":
        text, seat = say(reason, catalogue=catalogue), int(reason.values.get("seat", 0))
        own_text = say(reason, seat, catalogue) if seat else text
        more = tuple(cls.of(each, catalogue) for each in reason.more)
        return cls(reason.code, reason.values, text, UNSET if own_text == text else own_text, more)

    @classmethod
    def typed(cls, code: str, text: str | None) -> "Words | None":
        """Return a sentence whose text a person may have typed, or None if there is no text."""
        return cls(code, {"why": text}, text) if text is not None else None


class Limit(Message, frozen=True):
    """Amounts allowed for a wager."""

    minimum_cents: int
    maximum_cents: int | None
    step_cents: int
    required: bool


def limits(options: Iterable[WagerOption]) -> dict[str, Limit]:
    return {option.wager: Limit.of(option, option.amounts) for option in options}


class Result(Message, frozen=True):
    """Outcome of one wager."""

    seat: int
    wager: str
    stake_cents: int
    outcome: str
    paid_cents: int
    net_cents: int
    reason: Words


def suit(keep: int | None) -> Suit | None:
    return cast(Suit, SUITS[keep]) if keep is not None else None
