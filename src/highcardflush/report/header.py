"""Where a sheet comes from and which rules it was computed under, read off the rulebook."""

from __future__ import annotations

from importlib.metadata import version

from highcardflush.game.caps import PLAYER_CAPS, TABLE_CAPS
from highcardflush.game.wagers import Amounts, allowed_wagers, required_wagers
from highcardflush.money import say_cents
from highcardflush.odds.game import raise_range
from highcardflush.report.model import CapInForce, Header, LimitRow, Offered, RaiseRow, Rules, SettingInForce
from highcardflush.rulebook.check import warnings
from highcardflush.rulebook.model import Rulebook, Settings
from highcardflush.rulebook.settings import setting_text, settings_table

CAPS = (*PLAYER_CAPS, *TABLE_CAPS)
EXPOSE = {
    "refused": "The best flush plays; nothing is kept or laid face up.",
    "optional": "The player keeps one flush. A bonus win among the discards may be shown early; it is paid either way.",
    "required": "The player keeps one flush. A straight flush outside it is paid only if it is laid face up. "
    "The figures take it that every winning hand is shown and the best flush kept.",
}


def header(rulebook: Rulebook, date: str) -> Header:
    source = rulebook.source
    return Header(
        title=rulebook.title,
        name=rulebook.name,
        version=rulebook.version,
        source=", ".join(part for part in (source.document, source.publisher, source.place, source.edition) if part),
        authority=rulebook.authority,
        sha256=rulebook.sha256,
        table_hash=rulebook.table_hash,
        offers=tuple(
            Offered(
                wager=offer.wager,
                paytable=rulebook.paytables[offer.paytable].full_id,
                base_cents=int(offer.base) if offer.wager == "progressive" else None,
            )
            for offer in rulebook.offers
        ),
        settings=_settings_in_force(rulebook),
        software=f"highcardflush {version('highcardflush')}",
        date=date,
    )


def _settings_in_force(rulebook: Rulebook) -> tuple[SettingInForce, ...]:
    """The settings that are not at their defaults."""
    defaults, found = Settings(), []
    for row in settings_table():
        name = row.key.replace("-", "_")
        value = getattr(rulebook.settings, name)
        if value != getattr(defaults, name) or row.key in rulebook.table_settings:
            set_by = "table" if row.key in rulebook.table_settings else "rulebook"
            text = setting_text(value)
            found.append(
                SettingInForce(key=row.key, value=text, default=row.default, set_by=set_by, meaning=row.description)
            )
    return tuple(found)


def rules_in_force(rulebook: Rulebook) -> Rules:
    required = required_wagers(rulebook)
    meanings = {row.key: row.description for row in settings_table()}
    keys = ((name, name.replace("_", "-")) for name in CAPS if getattr(rulebook.settings, name) is not None)
    return Rules(
        text=rulebook.rules,
        notices=(*rulebook.notices, *((rulebook.notice,) if rulebook.settings.jackpot == "bonus" else ())),
        raises=tuple(_raise_row(rulebook, cards) for cards in range(2, 8)),
        limits=tuple(
            LimitRow(wager=wager, amounts=say_amounts(amounts), required=wager in required)
            for wager, amounts in allowed_wagers(rulebook).items()
        ),
        caps=tuple(
            CapInForce(key=key, cap_cents=int(getattr(rulebook.settings, name)), meaning=meanings[key])
            for name, key in keys
        ),
        expose=EXPOSE[rulebook.expose],
        warnings=tuple(warnings(rulebook)),
    )


def _raise_row(rulebook: Rulebook, cards: int) -> RaiseRow:
    low, high = raise_range(rulebook, cards)
    if low == high:
        amounts = f"{float(high):g}x"
    elif rulebook.raise_.kind == "multiples":
        amounts = " or ".join(f"{multiple}x" for multiple in range(int(low), int(high) + 1))
    else:
        amounts = f"{float(low):g}x to {float(high):g}x"
    return RaiseRow(cards=cards, smallest=low, largest=high, amounts=amounts)


def say_amounts(amounts: Amounts) -> str:
    """`$5 to $100, in steps of $5`."""
    low, high, step = amounts.minimum_cents, amounts.maximum_cents, amounts.step_cents
    if high == low:
        return f"exactly {say_cents(low)}"
    steps = f", in steps of {say_cents(step)}" if step > 1 else ""
    if high is None:
        return ("any amount" if low == 1 else f"{say_cents(low)} or more") + steps
    return f"{say_cents(low)} to {say_cents(high)}{steps}"
