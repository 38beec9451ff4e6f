"""Sentences by code: the engine decides with codes and values, and a catalogue turns them into a language.

Another language is another module like `en`.
"""

from highcardflush.words.en import (
    pay_rows,
    say_amounts,
    say_bet,
    say_limits,
    say_line,
    say_line_short,
    say_meter,
    say_needs,
    say_notices,
    say_pay,
    say_raise,
    say_raises,
    say_result,
    say_rulebook,
    say_source,
    say_title,
    say_wager,
)
from highcardflush.words.reason import Reason, reason_data, refusal, say
from highcardflush.words.refusals import refuse

__all__ = [
    "Reason",
    "pay_rows",
    "reason_data",
    "refusal",
    "refuse",
    "say",
    "say_amounts",
    "say_bet",
    "say_limits",
    "say_line",
    "say_line_short",
    "say_meter",
    "say_needs",
    "say_notices",
    "say_pay",
    "say_raise",
    "say_raises",
    "say_result",
    "say_rulebook",
    "say_source",
    "say_title",
    "say_wager",
]
