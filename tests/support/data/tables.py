"""Tables to play at: every rulebook, every kind of side bet, and the settings that affect money."""

from highcardflush.rulebook import Rulebook, configure, load, packaged, parse_offer

FLUSH = "flush washington/PT-FLT-HCF-FB-01"
STRAIGHT = "straight-flush washington/PT-FLT-HCF-SF-04"

OWN = {
    "four": """
name = "four"
extends = "washington"
[settings]
qualifier = 4
raise-step = "0.5x"
raise-minimum = "0.5x"
""",
    "open": """
name = "open"
extends = "oxford"
[settings]
qualifier = "any"
raise-step = "0.25x"
""",
    "ranks": """
name = "ranks"
extends = "meadows"
[settings]
qualifier = "3:T-8-6"
raise-step = "0.5x"
raise-minimum = "0.5x"
increment = 5
""",
    "north": 'name = "north"\nextends = "oxford"\n',
    "south": 'name = "south"\nextends = "atlantic-city"\n',
    "west": 'name = "west"\nextends = "washington"\n',
    "east": 'name = "east"\nextends = "meadows"\n',
    "pairs": """
name = "pairs"
extends = "galaxy-v7"
[settings]
qualifier = "2:K-T"
raise-minimum = "0.75x"
""",
}
"""Custom rulebooks as TOML. Some change the game itself: the dealer's qualifier, and Raises in fractions of an Ante.
The four named after directions change nothing, but may offer pay tables of other rulebooks."""

EASY = """
name = "easy"
extends = "galaxy-v7"
version = "1"
[paytables.EASY]
wager = "progressive"
pays = "for 1"
lines = [{ cards = 4, pay = "100%" }, { cards = 3, pay = "2%" }]
meters.progressive = { seed = 200, rate = "23%", reserve-rate = "5%" }
"""
"""A custom rulebook in which jackpots are hit every few rounds."""

# rulebook | offers, separated by commas | settings
TABLES = """
oxford | |
oxford | | cap-player 200, cap-straight-flush-table 300
north | flush flush, straight-flush straight-flush, progressive galaxy-v7/PT-BJS-HCF-SF-09 2 | cap-table 1000, seats 4
atlantic-city | |
atlantic-city | | cap-flush-player 40, cap-straight-flush-player 70, cap-table 150, default-action basic-strategy
south | flush flush, straight-flush straight-flush, progressive galaxy-v7/PT-BJS-HCF-SF-E05 5 | hits each
meadows | |
meadows | | default-action basic-strategy, cap-flush-table 33, ante-maximum 50
galaxy-v7 | |
galaxy-v7 | FLUSH, STRAIGHT | raise-minimum 0.5x
galaxy-v7 | progressive PT-BJS-HCF-SF-07 | raise-minimum 0x, increment 1
galaxy-v7 | progressive PT-BJS-HCF-SF-07 5, FLUSH | hits in-turn, reseed 12345.67
galaxy-v7 | progressive PT-BJS-HCF-SF-08a | hits each, mandatory progressive
galaxy-v7 | progressive PT-BJS-HCF-SF-08b 2.50 | hits share
galaxy-v7 | progressive PT-BJS-HCF-SF-09, FLUSH, STRAIGHT | cap-player 100, cap-table 400
galaxy-v7 | progressive PT-BJS-HCF-SF-E04 | mandatory progressive
galaxy-v7 | progressive PT-BJS-HCF-SF-E05 3, STRAIGHT | hits in-turn
galaxy-v7 | progressive PT-BJS-HCF-SF-E05 | envy off
galaxy-v7 | progressive PT-PRG-HCF-MLP-01 | level-1-hits in-turn, level-2-hits each
galaxy-v7 | progressive PT-PRG-HCF-MLP-03 2 | level-2-seed 777.77, level-2-rate 3.21%
galaxy-v7 | progressive PT-PRG-HCF-D01a | mandatory progressive
galaxy-v7 | progressive PT-PRG-HCF-D02c 5 | hits each
galaxy-v7 | progressive PT-PRG-HCF-D03 0.50 | play progressive-only
galaxy-v7 | progressive PT-BJS-HCF-SF-E04 | play progressive-only
washington | |
washington | flush PT-FLT-HCF-FB-07, straight-flush PT-FLT-HCF-SF-10 | cap-flush-player 50, dealing dice
washington | progressive PT-BJS-HCF-SF-01 | jackpot progressive, seed 5000, rate 12.34%, reserve-rate 4%
washington | progressive PT-BJS-HCF-SF-05 2 | jackpot progressive, seed 5000, rate 10%, reserve-rate 0%, hits in-turn
washington | flush PT-FLT-HCF-FB-14, progressive PT-BJS-HCF-SF-03 | jackpot bonus, seed 2500, hits share
washington | progressive PT-BJS-HCF-SF-06 5 | jackpot bonus, seed 1000.01, play progressive-only
washington | progressive PT-BJS-HCF-SF-01 2 | jackpot bonus, seed 777, display-returns on
four | flush PT-FLT-HCF-FB-07 |
open | |
ranks | | default-action basic-strategy
pairs | |
"""


def book_of(name: str) -> Rulebook:
    """Return a packaged or a custom rulebook."""
    return load(OWN[name]) if name in OWN else packaged(name)


def table(row: str) -> Rulebook:
    """Return the configured rulebook of one row of `TABLES`."""
    name, offers, settings = (part.strip() for part in row.split("|"))
    words = offers.replace("STRAIGHT", STRAIGHT).replace("FLUSH", FLUSH).split(",")
    pairs = dict(pair.split() for pair in settings.split(",") if pair)
    return configure(book_of(name), [parse_offer(*offer.split()) for offer in words if offer] or None, pairs)


ROWS = TABLES.strip().splitlines()
