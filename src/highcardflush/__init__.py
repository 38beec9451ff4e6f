"""High Card Flush, whole: rules, rounds, notation and money as a typed library."""

from highcardflush.cards import Hand
from highcardflush.errors import HcfError
from highcardflush.ranking import dealer_qualifies, flush_rank, straight_flush
from highcardflush.rulebook import configure, packaged

__all__ = ["Hand", "HcfError", "configure", "dealer_qualifies", "flush_rank", "packaged", "straight_flush"]
__version__ = "0.1.0"
