"""Texts for codes: the engine works with codes and values, and a catalogue turns them into sentences.

To add a language, add a module like `en`.
"""

from highcardflush.words.en import HOUSE_PLAYERS as HOUSE_PLAYERS
from highcardflush.words.en import pay_rows as pay_rows
from highcardflush.words.en import say_amounts as say_amounts
from highcardflush.words.en import say_bet as say_bet
from highcardflush.words.en import say_line as say_line
from highcardflush.words.en import say_line_short as say_line_short
from highcardflush.words.en import say_meter as say_meter
from highcardflush.words.en import say_meter_plans as say_meter_plans
from highcardflush.words.en import say_needs as say_needs
from highcardflush.words.en import say_pay as say_pay
from highcardflush.words.en import say_posted as say_posted
from highcardflush.words.en import say_qualifier as say_qualifier
from highcardflush.words.en import say_raise as say_raise
from highcardflush.words.en import say_raises as say_raises
from highcardflush.words.en import say_result as say_result
from highcardflush.words.en import say_rulebook as say_rulebook
from highcardflush.words.en import say_source as say_source
from highcardflush.words.en import say_title as say_title
from highcardflush.words.en import say_version as say_version
from highcardflush.words.en import say_wager as say_wager
from highcardflush.words.facts import say_fact as say_fact
from highcardflush.words.facts import seat_of as seat_of
from highcardflush.words.reason import Reason as Reason
from highcardflush.words.reason import reason_data as reason_data
from highcardflush.words.reason import refusal as refusal
from highcardflush.words.reason import say as say
from highcardflush.words.refusals import refuse as refuse
