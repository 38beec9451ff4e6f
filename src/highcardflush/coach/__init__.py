"""The coach: what each decision is worth and why, what a mistake costs, and how much of a result was luck.

from highcardflush.coach import account, advise, grade, spot_of
"""

from highcardflush.coach.advice import Advice, Spot, advise, spot_of
from highcardflush.coach.costs import ante_value, severity, side_bet_value
from highcardflush.coach.reasons import explain, why
from highcardflush.coach.session import account, grade

__all__ = [
    "Advice",
    "Spot",
    "account",
    "advise",
    "ante_value",
    "explain",
    "grade",
    "severity",
    "side_bet_value",
    "spot_of",
    "why",
]
