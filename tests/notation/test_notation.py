"""The notation: every statement printed and read back, every malformed line with its place, whole files."""

from __future__ import annotations

import pytest

from highcardflush.cards import NO_CARDS, Hand, format_card
from highcardflush.errors import HcfError, NotationError
from highcardflush.game import actions as a
from highcardflush.game import open_round
from highcardflush.jackpot import Meter
from highcardflush.notation import format_round, parse_rounds, play, replay
from highcardflush.notation import statements as s
from highcardflush.notation.rounds import Round, format_rounds, parse_each
from highcardflush.rulebook import packaged, parse_offer
from support.walkers.rounds import begin, cases, read

DECK = "deck " + " ".join("".join(map(format_card, range(i, min(i + 7, 52)))) for i in range(0, 52, 7))
STATEMENTS: list[tuple[str, s.Statement]] = [
    ("rulebook oxford", s.UseRulebook("oxford")),
    ("rulebook rules/own.toml @0123456789ab", s.UseRulebook("rules/own.toml", "0123456789ab")),
    (f"rulebook oxford @{'0' * 64}", s.UseRulebook("oxford", "0" * 64)),
    ("offer flush PT-FLT-HCF-FB-01", s.UseOffer(parse_offer("flush", "PT-FLT-HCF-FB-01"))),
    ("offer straight-flush washington/PT-FLT-HCF-SF-01",
     s.UseOffer(parse_offer("straight-flush", "washington/PT-FLT-HCF-SF-01"))),
    ("offer progressive PT-BJS-HCF-SF-08a base=2.50",
     s.UseOffer(parse_offer("progressive", "PT-BJS-HCF-SF-08a", "2.50"))),
    ("set raise-minimum 0.5x", s.UseSetting("raise-minimum", "0.5x")),
    ("meter progressive 30000", s.UseMeter("progressive", Meter(30000_000000), False)),
    ("meter level-2 30000.234567 reserve=-7.50", s.UseMeter("level-2", Meter(30000_234567, -7_500000), True)),
    ("meter progressive 0 reserve=0", s.UseMeter("progressive", Meter(0), True)),
    ("seat 1 ante 25 flush 5 straight-flush 0.50 progressive 1",
     s.DoWagers(a.PlaceWagers(1, {"ante": 2500, "flush": 500, "straight-flush": 50, "progressive": 100}))),
    ("seat 6 progressive 1", s.DoWagers(a.PlaceWagers(6, {"progressive": 100}))),
    ("dice 1 2 6", s.DoDice(a.RollDice((1, 2, 6)))),
    ("dice 1 2 6 clockwise", s.DoDice(a.RollDice((1, 2, 6), True))),
    ("lock", s.DoLock()),
    ("dynamic 5-card=200 3-card=8", s.DoDynamic(a.DrawDynamic((("5-card", 200), ("3-card", 8))))),
    ("deal 1 AsKs9s7s 8d7d6d", s.DoDeal(a.DealHand(1, Hand.parse("AsKs9s7s6d7d8d")))),
    ("deal dealer 9h8h6h Kc3c", s.DoDeal(a.DealHand(0, Hand.parse("9h8h6hKc3c")))),
    ("deal 2 AsKs ??????????", s.DoDeal(a.DealHand(2, Hand.parse("AsKs")), 5)),
    ("deal dealer ??????????????", s.DoDeal(a.DealHand(0, NO_CARDS), 7)),
    ("1 fold", s.DoDecision(a.Fold(1))),
    ("1 fold expose 8d7d6d", s.DoDecision(a.Fold(1, Hand.parse("6d7d8d")))),
    ("6 raise 25", s.DoDecision(a.Raise(6, 2500))),
    ("6 raise 12.50 keep clubs", s.DoDecision(a.Raise(6, 1250, 0))),
    ("6 raise 25 expose As Kd", s.DoDecision(a.Raise(6, 2500, None, Hand.parse("KdAs")))),
    ("6 raise 25 keep spades expose Kd", s.DoDecision(a.Raise(6, 2500, 3, Hand.parse("Kd")))),
    ("void button", s.DoVoid(a.Void("button"))),
    ("void other the lights went out", s.DoVoid(a.Void("other", "the lights went out"))),
    (DECK, s.DoDeck(a.Deal(tuple(range(52))))),
    ("void 3 return conduct", s.DoVoid(a.VoidHand(3, "return", "conduct"))),
    ("void 3 forfeit other he left", s.DoVoid(a.VoidHand(3, "forfeit", "other", "he left"))),
    ("= 1 ante +25 raise -25 flush +0", s.Expect(1, (("ante", 2500), ("raise", -2500), ("flush", 0)))),
    ("= 2 straight-flush +0.50 progressive -1 envy +200",
     s.Expect(2, (("straight-flush", 50), ("progressive", -100), ("envy", 20000)))),
    ("= meter progressive 30000.23", s.ExpectMeter("progressive", Meter(30000_230000), False)),
    ("= meter level-1 1 reserve=-2.000001", s.ExpectMeter("level-1", Meter(1_000000, -2_000001), True)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "statement"), STATEMENTS, ids=[text for text, _ in STATEMENTS])
def test_a_statement_is_read_and_printed(text: str, statement: s.Statement) -> None:
    (round_text,) = parse_rounds(f"hcf 1\n{text}\n")
    assert round_text == Round((statement,), (2,), 1)
    assert statement.text() == text
    assert round_text.text() == f"hcf 1\n{text}\n"


CANONICAL = """
written                                     | canonical
seat 1 flush 5 ante 25.00                   | seat 1 ante 25 flush 5
deal 1 6d 7d8d  As Ks9s7s                   | deal 1 AsKs9s7s 8d7d6d
deal   dealer   2s   3s4s                   | deal dealer 4s3s2s
deal 1 ??As????                             | deal 1 As ??????
offer flush flush base=1                    | offer flush flush
offer progressive x base=2.50               | offer progressive x base=2.50
1 raise 25.0 expose 6d 7d 8d                | 1 raise 25 expose 8d7d6d
= 1 ante 0                                  | = 1 ante +0
= 1 ante +12.5                              | = 1 ante +12.50
meter progressive 1.500000 reserve=+2       | meter progressive 1.50 reserve=2
void other   two   words                    | void other two words
lock # no more bets                         | lock
"""


@pytest.mark.parametrize(("text", "canonical"), cases(CANONICAL))
def test_printing_is_canonical(text: str, canonical: str) -> None:
    output = read(text).text()
    assert output == f"hcf 1\n{canonical}\n"
    assert parse_rounds(output)[0].text() == output


DECISION = "N fold [expose CARDS], or N raise AMOUNT [keep SUIT] [expose CARDS]"
VOID = "void REASON, or void N return|forfeit REASON; `other` must be followed by a text"
RULEBOOK = "rulebook NAME [@HASH], where HASH has 12 to 64 hex digits"
DYNAMIC = "dynamic LINE=PAY ..., such as dynamic 5-card=200 3-card=8"
CARD = "a rank (23456789TJQKA) and a suit (cdhs), such as As"
DOLLARS = "dollars such as 25 or 12.50"
FIRST_WORDS = "one of rulebook, offer, set, meter, seat, dice, lock, dynamic, deal, deck, void, =, or a seat's number"

MALFORMED = f"""
line                              | error
bet 1 ante 5                      | statement: read 'bet 1 ante 5', expected {FIRST_WORDS}
123 fold                          | statement: read '123 fold', expected {FIRST_WORDS}
rulebook                          | rulebook: read 'rulebook', expected {RULEBOOK}
rulebook a @0123456789a           | rulebook: read 'rulebook a @0123456789a', expected {RULEBOOK}
rulebook a @0123456789AG          | rulebook: read 'rulebook a @0123456789AG', expected {RULEBOOK}
offer flush                       | offer: read 'offer flush', expected offer WAGER PAYTABLE [base=AMOUNT]
offer flush x y                   | offer: read 'offer flush x y', expected offer WAGER PAYTABLE [base=AMOUNT]
offer ante x                      | offer: read 'ante', expected one of flush, straight-flush, progressive
offer progressive x base=0        | offer.base: read '0', expected dollars above zero such as 25 or 12.50
set seats                         | set: read 'set seats', expected set KEY VALUE
set seats 4 5                     | set: read 'set seats 4 5', expected set KEY VALUE
meter progressive                 | meter: read 'meter progressive', expected meter NAME AMOUNT [reserve=AMOUNT]
meter progressive 1 2             | meter: read 'meter progressive 1 2', expected meter NAME AMOUNT [reserve=AMOUNT]
meter progressive -1              | amount: read '-1', expected {DOLLARS}
meter progressive 1 reserve=x     | amount: read 'x', expected {DOLLARS}
seat 1                            | seat: read 'seat 1', expected seat N WAGER AMOUNT ...
seat 1 ante                       | seat: read 'seat 1 ante', expected seat N WAGER AMOUNT ...
seat one ante 5                   | seat: read 'seat one ante 5', expected seat N WAGER AMOUNT ...
seat 1 raise 5                    | wager: read 'raise', expected one of ante, flush, straight-flush, progressive
seat 1 ante 5 ante 5              | wager: read 'ante twice', expected each wager once
seat 1 ante 0                     | ante: read '0', expected an amount above zero
seat 1 ante -5                    | amount: read '-5', expected {DOLLARS}
seat 1 ante 0.001                 | amount: read '0.001', expected whole cents such as 25 or 12.50
dice 1 2                          | dice: read 'dice 1 2', expected dice A B C [clockwise], each 1 to 6
dice 1 2 x                        | dice: read 'dice 1 2 x', expected dice A B C [clockwise], each 1 to 6
dice 1 2 3 left                   | dice: read 'dice 1 2 3 left', expected dice A B C [clockwise], each 1 to 6
lock now                          | lock: read 'lock now', expected lock
dynamic                           | dynamic: read 'dynamic', expected {DYNAMIC}
dynamic 5-card=x                  | dynamic: read 'dynamic 5-card=x', expected {DYNAMIC}
dynamic 5-card=1=2                | dynamic: read 'dynamic 5-card=1=2', expected {DYNAMIC}
deal 1                            | deal: read 'deal 1', expected deal N CARDS, or deal dealer CARDS
deal 0 As                         | deal: read 'deal 0 As', expected deal N CARDS, or deal dealer CARDS
deal 1 AsK                        | card: read 'K', expected {CARD}
deal 1 ?s                         | card: read '?s', expected {CARD}
deal 1 AsKsAs                     | cards: read As twice, expected each card once
1                                 | decision: read '1', expected {DECISION}
1 call                            | decision: read '1 call', expected {DECISION}
1 raise                           | decision: read '1 raise', expected {DECISION}
1 raise 5 keep                    | decision: read '1 raise 5 keep', expected {DECISION}
1 raise 5 keep cups               | suit: read 'cups', expected clubs, diamonds, hearts, spades
1 raise 5 expose                  | decision: read '1 raise 5 expose', expected {DECISION}
1 raise 5 now                     | decision: read '1 raise 5 now', expected {DECISION}
1 fold 5                          | decision: read '1 fold 5', expected {DECISION}
1 fold expose                     | decision: read '1 fold expose', expected {DECISION}
1 fold expose ??                  | card: read '??', expected {CARD}
void                              | void: read 'void', expected {VOID}
void 1 return                     | void: read 'void 1 return', expected {VOID}
void 1 keep conduct               | void: read 'void 1 keep conduct', expected {VOID}
=                                 | =: read '=', expected = N WAGER +AMOUNT or -AMOUNT ...
= 1 ante                          | =: read '= 1 ante', expected = N WAGER +AMOUNT or -AMOUNT ...
= one ante +5                     | =: read '= one ante +5', expected = N WAGER +AMOUNT or -AMOUNT ...
= 1 bonus +5                      | wager: read 'bonus', expected one of ante, raise, flush, straight-flush, progressive, envy
= 1 ante +5 ante +5               | wager: read 'ante twice', expected each wager once
= 1 ante 5                        | ante: read '5', expected a sign, + or -, before the amount
= 1 ante x                        | amount: read 'x', expected {DOLLARS}
= meter progressive               | =: read '= meter progressive', expected = meter NAME AMOUNT [reserve=AMOUNT]
"""  # noqa: E501


@pytest.mark.parametrize("row", MALFORMED.strip().splitlines()[1:])
def test_a_malformed_line_names_its_place(row: str) -> None:
    line, error = map(str.strip, row.split("|", 1))  # An error may have another bar.
    with pytest.raises(NotationError) as error_info:
        parse_rounds(f"hcf 1\n\n# a comment\n{line}\n", file="night.hcf")
    assert str(error_info.value) == f"night.hcf:4: {error}"
    assert error_info.value.as_dict()["line"] == 4


TWO_ROUNDS = """
# two rounds of one night

hcf 1
  rulebook oxford   # at table 3
seat 1 ante 5
hcf 1

rulebook meadows
seat 2 ante 5 # five
"""


def test_a_file_holds_any_number_of_rounds() -> None:
    first, second = parse_rounds(TWO_ROUNDS)
    assert first.lines == (5, 6)
    assert second.lines == (9, 10)
    assert (first.first_line, second.first_line) == (4, 7)
    text = format_rounds([first, second])
    assert text == "hcf 1\nrulebook oxford\nseat 1 ante 5\n\nhcf 1\nrulebook meadows\nseat 2 ante 5\n"
    assert format_rounds(parse_rounds(text)) == text


FILES = """
text                                     | error
                                         | 1: rounds: read 'no round', expected 'hcf 1' and its lines
# nothing                                | 1: rounds: read 'no round', expected 'hcf 1' and its lines
rulebook oxford                          | 1: statement: read 'rulebook oxford', expected 'hcf 1' before it
/seat 1 ante 5/hcf 1                     | 2: statement: read 'seat 1 ante 5', expected 'hcf 1' before it
hcf 2                                    | 1: version: read 'hcf 2', expected 'hcf 1'
hcf                                      | 1: version: read 'hcf', expected 'hcf 1'
hcf 1 now                                | 1: version: read 'hcf 1 now', expected 'hcf 1'
hcf 1/rulebook oxford/rulebook meadows   | 3: statement: read 'rulebook meadows', expected rulebook only once in a round
hcf 1/set seats 4/set seats 4            | 3: statement: read 'set seats 4', expected set seats only once in a round
hcf 1/meter x 1/meter x 2                | 3: statement: read 'meter x 2', expected meter x only once in a round
hcf 1/seat 1 ante 5/seat 1 ante 5        | 3: statement: read 'seat 1 ante 5', expected seat 1 only once in a round
"""


@pytest.mark.parametrize(("text", "error"), cases(FILES))
def test_files_with_no_rounds_or_repeated_statements_are_refused(text: str, error: str) -> None:
    with pytest.raises(NotationError) as error_info:
        parse_rounds(text.replace("/", "\n"))
    assert str(error_info.value) == error


def test_all_bad_rounds_are_reported() -> None:
    rounds = parse_each("seat 1 ante 5\nhcf 1\nbet\nbet\nhcf 1\nlock\nhcf 2\nlock\nhcf 1\nlock now\n", file="f")
    assert [[str(error).partition(", expected")[0] for error in message.errors] for message in rounds] == [
        ["f:1: statement: read 'seat 1 ante 5'"],
        ["f:3: statement: read 'bet'"],
        [],
        ["f:7: version: read 'hcf 2'"],
        ["f:10: lock: read 'lock now'"],
    ]
    assert (rounds[2].statements, rounds[2].lines) == ((s.DoLock(),), (6,))
    with pytest.raises(NotationError, match=r"^f:3"):
        replay(rounds[1])


HANDS = "deal 1 AsKs9s7s 6d7d8d / deal dealer 9h8h6h Kc3c Td2s"

REPLAYED = f"""
round                                                                       | error
seat 1 ante 5                                                               | 1: rulebook: read no rulebook line, expected rulebook NAME
rulebook oxford / seat 1 ante 5 / set seats 4                               | 4: too late: read 'set seats 4', expected this line before the first seat
rulebook oxford / deal 1 ?? / set seats 4                                   | 4: too late: read 'set seats 4', expected this line before the first seat
seat 1 ante 5 / rulebook oxford                                             | 3: too late: read 'rulebook oxford', expected this line before the first seat
rulebook galaxy-v7 / offer progressive PT-BJS-HCF-SF-07 / seat 1 ante 5 / lock / meter progressive 1 | 6: too late: read 'meter progressive 1', expected this line before the wagers lock
rulebook oxford / meter progressive 1                                       | 3: meter: read progressive, expected no meter, because no progressive is offered
rulebook venice                                                             | 2: rulebook: read 'venice', expected one of galaxy-v7, atlantic-city, washington, meadows, oxford, or a .toml file
rulebook oxford @000000000000                                               | 2: rulebook oxford: content hash: read @000000000000, expected @HASH
rulebook oxford / set seats 9 / seat 1 ante 5                               | 3: seats: read 9, expected a whole number, 6 or less
rulebook oxford / offer flush nothing / seat 1 ante 5                       | 3: offers.flush.paytable: read 'nothing', expected a pay table of oxford (flush) or RULEBOOK/ID
rulebook oxford                                                             | 2: unfinished round: read its end, expected wagers, hands and decisions
rulebook oxford / seat 1 ante 5                                             | 3: unfinished round: read its end, expected hands and decisions
rulebook oxford / seat 1 ante 5 / seat 2 ante 5 / deal 1 AsKs9s7s 6d7d8d    | 5: unfinished round: read its end, expected a hand for seat 2, the dealer
rulebook oxford / seat 1 ante 5 / {HANDS}                                   | 5: unfinished round: read its end, expected a decision by seat 1
rulebook oxford / seat 1 ante 5 / {HANDS} / = 1 ante +5                     | 6: unfinished round: read its end, expected a decision by seat 1
rulebook oxford / seat 1 ante 5 / deal 1 AsKs9s 6d7d8d                      | 4: deal 1: read 6 cards, expected 7 cards, or a void round
rulebook oxford / seat 1 ante 5 / deal 1 ??AsKs9s 6d7d8d                    | 4: cards: read 'deal 1 AsKs9s 8d7d6d ??', expected every card, because hidden cards cannot be played
rulebook oxford / seat 1 ante 5 / {HANDS} / 1 fold / 1 fold                 | 7: the round is in phase showdown: read '1 fold', expected void of a hand, settlement, void
rulebook oxford / seat 1 ante 5 / 1 fold                                    | 4: the round is in phase betting: read '1 fold', expected wagers, wagers taken back, dice, lock, void
rulebook oxford / seat 1 ante 5 / {HANDS} / 1 raise 6                       | 6: seat 1: raise with a 4-card flush: read $6, expected $5
rulebook oxford / deal 1 AsKs9s7s 6d7d8d                                    | 3: lock: read no wager, expected a wager from at least one seat
"""  # noqa: E501


@pytest.mark.parametrize(("text", "error"), cases(REPLAYED))
def test_rounds_that_break_the_rules_are_refused_by_replay(text: str, error: str) -> None:
    (round_text,) = parse_rounds("hcf 1\n" + text.replace(" / ", "\n"))
    with pytest.raises(HcfError) as error_info:
        replay(round_text)
    assert str(error_info.value) == error.replace("@HASH", f"@{packaged('oxford').sha256[:12]}")


ROUND = """
    rulebook galaxy-v7
    offer progressive PT-BJS-HCF-SF-07
    meter progressive 30000 reserve=1
    seat 2 ante 5 progressive 1
    deal 2 8c7c6c5c4c3c Kd
    deal dealer 9h8h6h Kc3s Td2s
    2 fold
    """

DIFFERENCES = """
expected                                  | difference
= 2 ante -5 progressive +2999.03          |
= 2 ante +5                               | 9: result differs: seat 2 ante: read +5, expected -5
= 2 envy +1                               | 9: result differs: seat 2 envy: read +1, expected +0
= 2 ante +5 progressive +3                | 9: result differs: seat 2 ante: read +5, expected -5; 9: result differs: seat 2 progressive: read +3, expected +2999.03
= 1 ante +5                               | 9: result differs: read '= 1 ante +5', expected a seat with a wager
= meter progressive 27000.20              |
= meter progressive 27000.20 reserve=1.05 |
= meter progressive 27000                 | 9: result differs: meter progressive: read 27000, expected 27000.20
= meter progressive 27000.20 reserve=1    | 9: result differs: meter progressive reserve: read 1, expected 1.05
= meter level-1 1                         | 9: result differs: read '= meter level-1 1', expected progressive
"""  # noqa: E501


@pytest.mark.parametrize(("expected", "difference"), cases(DIFFERENCES))
def test_results_that_differ(expected: str, difference: str) -> None:
    game = replay(read(ROUND.lstrip("\n") + expected))
    assert "; ".join(map(str, game.differences)) == difference


def test_a_table_without_meters_has_none_to_expect() -> None:
    (different,) = replay(read("rulebook oxford\nseat 1 ante 5\nvoid button\n= meter progressive 1")).differences
    assert str(different).endswith("expected no meter")


@pytest.mark.parametrize("lines", ["set cap-table none", "set seats 4\nset clock 60\nset raise-minimum 1x"])
def test_settings_are_written_as_they_were_set(lines: str) -> None:
    game = begin(f"rulebook oxford\n{lines}\nseat 1 ante 5")
    assert format_round(game.rulebook, game.state) == f"hcf 1\nrulebook oxford\n{lines}\nseat 1 ante 5\n"


def test_a_rulebook_can_go_by_another_name() -> None:
    oxford = packaged("oxford")
    text = format_round(oxford, open_round(oxford), name="rules/house.toml")
    assert text == "hcf 1\nrulebook rules/house.toml\n"
    assert play(parse_rounds(text)[0], find={"rules/house.toml": oxford}.__getitem__).state == open_round(oxford)
