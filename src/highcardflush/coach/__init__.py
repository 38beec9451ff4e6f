"""The coach: what each decision is worth, what a mistake costs, and how much of a result was luck.

from highcardflush.coach import account, counsel, grade, spot_of
"""

from highcardflush.coach.advice import Counsel, Mistake, Spot, counsel, spot_of
from highcardflush.coach.session import Account, Graded, account, grade

__all__ = ["Account", "Counsel", "Graded", "Mistake", "Spot", "account", "counsel", "grade", "spot_of"]
