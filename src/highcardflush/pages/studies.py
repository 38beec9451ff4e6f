"""The studies as one document: what each is called, where its figures come from, and how they are said."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from msgspec import Struct

from highcardflush.figures import studies as figures
from highcardflush.figures.main_game import Tell
from highcardflush.figures.studies import Effort
from highcardflush.pages import studies_house as house
from highcardflush.pages import studies_player as player
from highcardflush.pages.document import Block, Document, Heading
from highcardflush.rulebook import PACKAGED, packaged
from highcardflush.software import software


class Study(Struct, frozen=True):
    title: str
    figures: Callable[[Effort, Tell], Any]
    blocks: Callable[[Any], list[Block]]


STUDIES: dict[str, Study] = {
    "seen": Study("Seen cards", figures.seen_study, player.seen_blocks),
    "rules": Study("The best simple rules", figures.rules_study, player.rules_blocks),
    "errors": Study("What errors cost", figures.errors_study, player.errors_blocks),
    "risk": Study("Risk of a player", figures.risk_study, player.risk_blocks),
    "sensitivity": Study("What a document leaves open", figures.sensitivity_study, house.sensitivity_blocks),
    "treasury": Study("Treasury of a progressive", figures.treasury_study, house.treasury_blocks),
    "floors": Study("Floors of linked tables", figures.floors_study, house.floors_blocks),
    "solver": Study("A pay table for a wanted edge", figures.solver_study, house.solver_blocks),
}


FIRST_OF_HOUSE = "sensitivity"
"""With it the second half begins, on a page of its own."""


def study_document(names: Iterable[str], effort: Effort, date: str = "", tell: Tell = lambda _: None) -> Document:
    """These studies, in their own order; `tell` is told what is being worked out."""
    chosen = [name for name in STUDIES if name in set(names)]
    program = software()
    books = ", ".join(f"{name} version {packaged(name).version}" for name in PACKAGED)
    facts = (
        ("Rulebooks", books),
        ("Simulated", f"{effort.deals:,} deals a figure, {effort.runs} runs a floor, seed {effort.seed}"),
        ("Computed by", f"{program.name} {program.version}, Python {program.python}"),
        ("Build hash", program.build),
        ("Date", date),
    )
    return Document(
        kind="sheet",
        kicker="Studies",
        title="High Card Flush: what the exact lab answers" if len(chosen) > 1 else STUDIES[chosen[0]].title,
        facts=tuple((label, text) for label, text in facts if text),
        mark=f"{program.name} {program.version}, build {program.build[:16]}",
        date=date,
        blocks=tuple(_blocks(chosen, effort, tell)),
    )


def _blocks(chosen: list[str], effort: Effort, tell: Tell) -> Iterator[Block]:
    for number, name in enumerate(chosen, 1):
        study, so_far = STUDIES[name], f"{number} of {len(chosen)}, "
        found = study.figures(effort, partial(_tell, tell, so_far))
        yield Heading(study.title, page=number > 1 and name == FIRST_OF_HOUSE)
        yield from study.blocks(found)


def _tell(tell: Tell, so_far: str, words: str) -> None:
    tell(so_far + words)
