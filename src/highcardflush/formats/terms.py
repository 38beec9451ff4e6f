"""What every key of a sheet's JSON means and in which unit its value is."""

from __future__ import annotations

UNITS = {
    "ante": "one Ante",
    "bet": "one bet",
    "wager": "one Ante in the main game, one bet in a side bet",
    "part": "a fraction of one, never percent",
    "cents": "whole cents",
    "micros": "whole millionths of a dollar",
    "dollars": "dollars",
    "count": "a number",
    "text": "words",
    "code": "an identifier",
    "yes-no": "true or false",
    "parts": "an object or a list",
}
_TERMS = """
header | parts | what was computed, from what, by what, when
title | text | what a rulebook or a strategy is called
name | code | of a rulebook, a strategy, a meter or the software
version | text | of the rulebook or of the software
source | text | the document from which the rulebook is taken
authority | text | who approves the rules
sha256 | code | SHA-256 of the rulebook's content
table_hash | code | SHA-256 of the rulebook with the offers and settings of this table
offers | parts | the side bets of this table
wager | code | which bet; main is Ante and Raise together
paytable | code | the pay table as RULEBOOK/ID
base_cents | cents | the base bet of a progressive, null for another bet
settings | parts | settings that are not at their defaults
key | code | of a setting
value | text | of a setting
default | text | of a setting
set_by | code | rulebook or table
meaning | text | of a setting
software | parts | what computed the sheet
build | code | SHA-256 over the SHA-256 and path of each file of the software
python | text | the version of Python that ran it
date | text | year, month, day, as it was given
prepared_by | text | as it was given, empty if it was not
revision | text | as it was given, empty if it was not
method | text | how the figures were come by and rounded
terms | parts | this list: unit and meaning of each key
unit | text | of the value under a key
rules | parts | the rules in force
text | text | the rules as a player reads them
notices | text | what must be posted
raises | parts | the Raise by the cards in the flush that plays
cards | count | in a flush
smallest | ante | the smallest Raise
largest | ante | the largest Raise
amounts | text | what may be bet
limits | parts | the amounts of each wager
required | yes-no | whether a player must make this wager
caps | parts | maximum payouts in force; in a side bet what they leave of it by the size of the bet
cap_cents | cents | the most that is paid
expose | text | what of a hand is kept and laid face up
warnings | text | what is allowed, but an operator should know it
main_game | parts | Ante and Raise, best play
table | parts | every event once, by hand, decision and result, or by line of the pay table
results | parts | the same by result alone
rows | parts | the events of a return table
total | parts | the sum of the rows
group | text | hand and decision
event | text | result, or line of a pay table
pays | text | net in Antes (main game), what a line pays, or how a table pays: to 1 or for 1
combinations | count | deals (main game) or player's hands (side bet)
probability | part | of an event
one_in | count | one divided by the probability, null for none
return | wager | what comes back of a side bet; of an event what it adds to that or to the expectation
expected | ante | the player's mean net result
house_edge | wager | what the house keeps on average
element_of_risk | part | house edge divided by the average bet
average_bet | ante | Ante and Raise together
fold_frequency | part | of hands
variance | wager | of the net result of one round, squared
standard_deviation | wager | of the net result of a round or a session; of a draw's return
volatility_index_90 | wager | 1.645 standard deviations
bands | parts | where the house's hold lies after so many rounds
rounds | count | of a band, a session or a simulation
hold | part | the mean, as a part of all Antes or bets
low_90 | part | lower end of the 90 % band
high_90 | part | upper end of the 90 % band
low_95 | part | lower end of the 95 % band
high_95 | part | upper end of the 95 % band; of a session the 95th percentile in Antes
zones | parts | the best play by the best flush of a hand, lowest first
decision | text | what the best play does in a zone
first | code | the lowest flush of a zone, by its ranks
last | code | the highest flush of a zone, by its ranks
hands | count | player's hands
frequencies | parts | how often a hand ends in which way, best play
flush_lengths | parts | hands by the cards in their longest suit
win_frequency | part | hands whose Ante is paid: the player wins, or the dealer does not qualify
dealer_qualifies | part | chance that the dealer qualifies, whatever the players hold
raised | count | hands with which the best play raises
folded | count | hands with which the best play folds
other_cards_decide | parts | flushes with which the other cards decide
flush | code | by its ranks
strategies | parts | other ways to play
cost | ante | expectation lost against the best play
raise_minimum | ante | the smallest Raise in force where the rulebook prints none, else null
raise_minima | parts | the house edge by the smallest Raise
minimum | ante | a smallest Raise
sessions | parts | a player's net result after so many rounds of one Ante
low_5 | ante | 5th percentile
median | ante | 50th percentile
ahead | part | chance of a gain
even | part | chance of neither gain nor loss
behind | part | chance of a loss
bars | parts | a histogram
low | wager | where a bar begins, included
high | wager | where a bar ends, not included
chance | part | of a bar
side_bets | parts | the bets on offer, a progressive with its meters at their seeds
long_run | parts | figures of a bet in the long run, a progressive with every meter at its mean at a 100 % win
lines | parts | of a pay table
envy_cents | cents | the Envy Pay for the base bet, 0 for none
dynamic_cents | cents | the Dynamic Pays for the base bet
hit_frequency | part | chance of any pay
uncapped_cents | cents | the largest bet that no cap can cut, null where there is no cap
bet_cents | cents | a size of the bet
most_paid | bet | on one hand of this bet
progressive | parts | the progressive beyond its pay table, null without one
fixed | part | of the bet that fixed pays return
contributions | part | of the bet that goes to meters and reserves
least_return | part | of the bet with nothing in any meter: the fixed pays
seed_cost | part | of the bet that the house gives as new seeds, all meters
long_run_return | part | of the bet, null where the display does not grow with the bets
meters | parts | each meter
seed_micros | micros | first amount of a meter
reseed_micros | micros | amount after a 100 % win
rate | part | of each bet that goes to the meter
reserve_rate | part | of each bet that goes to the reserve
bonus | yes-no | whether it is a bonus jackpot, which no bet feeds
break_even_meter | dollars | the meter at which the bet returns 100 %
bets_between_hits | count | mean number of bets between 100 % wins
bets_to_hit_10 | count | bets within which a 100 % win comes in 10 % of cases
bets_to_hit_50 | count | bets within which a 100 % win comes in half of the cases
bets_to_hit_90 | count | bets within which a 100 % win comes in 90 % of cases
mean_start | dollars | the mean meter after a 100 % win
expected_meter_at_hit | dollars | the mean meter at a 100 % win, in the long run
house_seed_cost | part | of the bet that the house gives as new seeds of this meter
mean_advance | dollars | what the house has put into seeds for the reserve right after a reseed, null if never paid back
returns | parts | the return by the amount in the meter, the others at their seeds, one player
meter | dollars | an amount in the meter
mark | text | what an amount is: seed, expected at a 100 % win, break-even
envy | part | of the bet that Envy Pays return; as a list, by the players who made the bet
seats | count | players who made the bet, or who are simulated
return_at_seed | part | of the bet, with Envy Pays and every meter at its seed
dynamic | parts | the returns that a round's draw can give on fixed pays alone, null without draws
draws | count | different returns that a draw can give
mean | wager | of the draws' returns; the simulated net result of a wager
lowest | part | of the draws' returns
highest | part | of the draws' returns
over_one | part | chance of a draw that returns more than the bet on fixed pays
mix | parts | all wagers of one hand together, one unit on each, best play
pairs | parts | the wagers two by two
covariance | count | of the net results of two wagers, in squared units
correlation | count | of the net results of two wagers
liability | parts | the most that a round can cost the house beyond the stakes
one_hand | wager | the most that one hand wins
round | wager | the most that all hands of a round win together, before caps
largest_cents | cents | the largest bet that the table takes, null where no maximum is posted
total_cents | cents | all wagers at their largest, caps counted, null where nothing bounds them
simulation_best_play | parts | the same rounds with the best play, null if they were not dealt
simulation | parts | the same table dealt by a program, null if it was not
generator | code | of random words
strategy | code | what the simulated players play
seed | count | from which the random words begin
wagers | parts | the simulated wagers
exact | wager | the exact mean net result under the same strategy
standard_error | wager | of the simulated mean
z | count | distance from the exact value in standard errors, null where too few were expected
line | code | of a pay table, or the result of a showdown
expected_count | count | how often it should come
observed | count | how often it came
"""


def terms() -> dict[str, dict[str, str]]:
    """Unit and meaning by key. `NAME_exact` is NAME as a text n/d in lowest terms, and stands for itself."""
    rows = (line.split(" | ") for line in _TERMS.strip().splitlines())
    return {key: {"unit": UNITS[unit], "meaning": meaning} for key, unit, meaning in rows}
