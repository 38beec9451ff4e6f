"""The notice of a Bonus Jackpot (W5a), typed from the printed document."""

NOTICE = (
    "Bonus Jackpot prizes are paid by the casino and are not components of any progressive prize contest.  "
    "Player wagers do not accrue to any guaranteed player fund.  "
    "The displayed Bonus Jackpot prize may be modified or discontinued at any time without prior notice."
)
QUOTED = f'"{" ".join(NOTICE.split())}"'
"""The notice as a quotation on one line, for texts that may be wrapped anywhere."""


def words(text: str) -> str:
    """Return a text without its line breaks."""
    return " ".join(text.split())
