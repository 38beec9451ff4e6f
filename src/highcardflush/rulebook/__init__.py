"""Rulebooks: the frozen model, the loader with its checks, and the packaged documents."""

from highcardflush.rulebook.check import warnings
from highcardflush.rulebook.document import MAX_SEATS
from highcardflush.rulebook.load import PACKAGED, configure, load, packaged, parse_offer, read_offer, split_offer
from highcardflush.rulebook.model import Rulebook, quoted
from highcardflush.rulebook.paytable import Line, Offer, PayTable
from highcardflush.rulebook.table_settings import Settings
from highcardflush.rulebook.wagers import PROGRESSIVE, SIDE_BETS

__all__ = ["MAX_SEATS", "PACKAGED", "PROGRESSIVE", "SIDE_BETS", "Line", "Offer", "PayTable", "Rulebook", "Settings"]
__all__ += ["configure", "load", "packaged", "parse_offer", "quoted", "read_offer", "split_offer", "warnings"]
