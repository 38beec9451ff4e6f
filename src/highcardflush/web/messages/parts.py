"""Parts that several messages share: sentences, suits, limits, results and refusals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, cast

from msgspec import UNSET, Struct, UnsetType

from highcardflush.cards import SUITS
from highcardflush.errors import HcfError
from highcardflush.game import state
from highcardflush.game.legal import WagerOption
from highcardflush.words import Reason, en, say

Suit = Literal["c", "d", "h", "s"]


class Message(Struct, frozen=True, gc=False, omit_defaults=True):
    """Base of every message and of its parts: a field that has its default is left out of the JSON."""


class Refusal(Message, frozen=True):
    """Error as clients see it, without file and line."""

    code: str
    message: str
    read: str | UnsetType = UNSET
    expected: str | UnsetType = UNSET

    @classmethod
    def of(cls, error: HcfError) -> Refusal:
        read, expected = (UNSET if text is None else text for text in (error.read, error.expected))
        return cls(error.code, error.message, read, expected)


class Failed(Message, frozen=True):
    """Body of every answer that reports an error."""

    error: Refusal


class Words(Message, frozen=True):
    """Sentence in English, with the code and the values from which other languages make it."""

    code: str
    values: Mapping[str, int | str]
    text: str
    own_text: str | UnsetType = UNSET
    """Text for the player in the seat that it is about, where it differs: "you folded"."""
    more: tuple[Words, ...] = ()
    """Sentences to say after it."""

    @classmethod
    def of(cls, reason: Reason, catalogue: en.Catalogue = en.REASONS) -> Words:
        text, seat = say(reason, catalogue=catalogue), int(reason.values.get("seat", 0))
        own_text = say(reason, seat, catalogue) if seat else text
        more = tuple(cls.of(each, catalogue) for each in reason.more)
        return cls(reason.code, reason.values, text, UNSET if own_text == text else own_text, more)

    @classmethod
    def typed(cls, code: str, text: str | None) -> Words | None:
        """Wrap a text that a person may have typed; return None if there is none."""
        return cls(code, {"why": text}, text) if text is not None else None


class Limit(Message, frozen=True):
    """Amounts that a wager may have."""

    minimum_cents: int
    maximum_cents: int | None
    step_cents: int
    required: bool

    @classmethod
    def of(cls, option: WagerOption) -> Limit:
        amounts = option.amounts
        return cls(amounts.minimum_cents, amounts.maximum_cents, amounts.step_cents, option.required)


def limits(options: Iterable[WagerOption]) -> dict[str, Limit]:
    return {option.wager: Limit.of(option) for option in options}


class Result(Message, frozen=True):
    """Outcome of one wager."""

    seat: int
    wager: str
    stake_cents: int
    outcome: str
    paid_cents: int
    net_cents: int
    reason: Words

    @classmethod
    def of(cls, result: state.Result) -> Result:
        return cls(
            result.seat,
            result.wager,
            result.stake_cents,
            result.outcome,
            result.paid_cents,
            result.net_cents,
            Words.of(result.reason),
        )


def results(each: Iterable[state.Result]) -> tuple[Result, ...]:
    return tuple(map(Result.of, each))


def suit(keep: int | None) -> Suit | None:
    return cast(Suit, SUITS[keep]) if keep is not None else None
