"""Reasons as data: a code and its values, which a catalogue turns into a sentence."""

from msgspec import Struct
from msgspec.structs import replace

from highcardflush.errors import ActionError
from highcardflush.words import en

Values = dict[str, int | str]


class Reason(Struct, frozen=True, gc=False, omit_defaults=True):
    """An explanation as a code with values. `more` are further reasons, such as a cap that reduced the pay."""

    code: str
    values: Values = {}
    more: "tuple[Reason, ...]" = ()

    def and_also(self, other: "Reason") -> "Reason":
        return replace(self, more=(*self.more, other))


def say(reason: Reason, you: int = 0, catalogue: en.Catalogue = en.REASONS) -> str:
    """Return the text of a reason in a catalogue's language, addressed to everybody or to the seat `you`.

    >>> say(Reason("fold", {"seat": 2})), say(Reason("fold", {"seat": 2}), you=2)
    ('seat 2 folded', 'you folded')
    """
    text = catalogue[reason.code](reason.values | {"you": you})
    return "; ".join([text, *(say(more, you, catalogue) for more in reason.more)])


def reason_data(reason: Reason, catalogue: en.Catalogue = en.REASONS) -> dict[str, object]:
    return {"code": reason.code, "values": reason.values, "text": say(reason, catalogue=catalogue)}


def refusal(code: str, **values: int | str) -> ActionError:
    message, read, expected = (text.format(**values) for text in en.REFUSALS[code])
    error = ActionError(message, read=read, expected=expected)
    error.reason, error.values = code, values
    return error
