"""The dealer's qualifier as a setting of a custom rulebook: the weakest flush with which the dealer plays.

Written as a number of cards, optionally with the ranks they must reach: `4`, `3:9` (three cards, nine high, as every
packaged document prints), `3:T-8-6`; `any` where every hand plays.
"""

from __future__ import annotations

import re

from highcardflush.cards import RANKS
from highcardflush.errors import TextError
from highcardflush.ranking import NUMBER_NAMES, QUALIFIER, FlushRank

ANY = "any"
EXPECTED = f"2 to 7 cards such as 4, cards and ranks such as 3:9 or 3:T-8-6, or {ANY}"
_WRITTEN = re.compile(rf"([2-7])(?::([{RANKS}](?:-[{RANKS}])*))?", re.ASCII)
_PRINTED = re.compile(r"\b([Aa]) three-card flush, nine high, or better\b")
"""The sentence printed in rules and procedures of the packaged documents."""


class Qualifier(int):
    """The weakest qualifying flush, `3:9`, stored as its length times 2^13 plus the mask of its ranks."""

    @classmethod
    def of(cls, flush: FlushRank) -> Qualifier:
        return cls(flush.length << 13 | flush.ranks)

    @classmethod
    def parse(cls, text: str) -> Qualifier:
        """Parse a qualifier; `4:3` is refused, since four cards are never three high."""
        if text == ANY:
            return cls(0)
        if match := _WRITTEN.fullmatch(text):
            cards, names = int(match[1]), match[2].split("-") if match[2] else []
            ranks = [RANKS.index(name) for name in names]
            falls = ranks == sorted(set(ranks), reverse=True) and len(ranks) <= cards
            if falls and all(rank >= cards - place for place, rank in enumerate(ranks, 1)):
                return cls.of(FlushRank(cards, sum(1 << rank for rank in ranks)))
        raise TextError("qualifier", read=repr(text), expected=EXPECTED)

    @property
    def flush(self) -> FlushRank:
        return FlushRank(self >> 13, self & 0x1FFF)

    def __str__(self) -> str:
        cards, short = self.flush.length, self.flush.short
        return f"{cards}:{short}" if short else str(cards) if cards else ANY

    @property
    def words(self) -> str:
        """The qualifier in a rule: `a four-card flush, ten high, or better`."""
        cards, ranks = self.flush.length, self.ranks_words
        return f"a {NUMBER_NAMES[cards]}-card flush{ranks and f', {ranks},'} or better" if cards else "any hand"

    @property
    def ranks_words(self) -> str:
        """The ranks that the flush must reach: `ten high`, `ten-eight-six`; empty where any do."""
        names = self.flush.names
        return f"{names[0]} high" if len(names) == 1 else "-".join(names)


PRINTED = Qualifier.of(QUALIFIER)


def restated(text: str, qualifier: Qualifier) -> str:
    """Replace the printed qualifier in a sentence of a document by this one."""
    return _PRINTED.sub(lambda match: match[1] + qualifier.words[1:], text) if qualifier != PRINTED else text
