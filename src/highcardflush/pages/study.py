"""Combines the lab's studies into one document.

Each module of `pages/studies` is a study with the same name. Its `STUDY` has the title, the place in the document, and
the function that computes the figures and returns them as blocks. To add a study, add a module.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from msgspec import Struct

from highcardflush.pages import studies
from highcardflush.pages.document import Block, Document, Heading
from highcardflush.rulebook import PACKAGED, packaged
from highcardflush.software import software

Tell = Callable[[str], None]
METERED = "galaxy-v7"
"""Rulebook whose progressives are examined."""


class Effort(Struct, frozen=True, kw_only=True):
    deals: int = 1_000_000
    """Number of deals sampled for each set of seen cards."""
    runs: int = 40
    """Number of runs of each floor."""
    seed: int = 0
    threads: int = 1


class Study(Struct, frozen=True):
    """A study. If it is interrupted, it and all later studies are discarded."""

    title: str
    order: int
    """Place in the document: below 50 for studies about the player, 50 or more for studies about the house."""
    blocks: Callable[[Effort, Tell], list[Block]]


FIRST_OF_HOUSE = 50


def names() -> list[str]:
    return sorted(module.name for module in iter_modules(studies.__path__))


@cache
def find_study(name: str) -> Study:
    study: Study = import_module(f"{studies.__name__}.{name}").STUDY
    return study


def progress(tell: Tell, words: str) -> Callable[[int, int], None]:
    return lambda done, total: tell(f"{words}: {100 * done // total} %")


def study_document(chosen: Iterable[str], effort: Effort, date: str = "", tell: Tell = lambda _: None) -> Document:
    """Return the document of these studies, sorted by `order`. `tell` is called with the name of each step."""
    parts = sorted(map(find_study, set(chosen)), key=lambda study: study.order)
    program = software()
    facts = (
        ("Rulebooks", ", ".join(f"{name} version {packaged(name).version}" for name in PACKAGED)),
        ("Simulated", f"{effort.deals:,} deals per figure, {effort.runs} runs per floor, seed {effort.seed}"),
        ("Computed by", f"{program.name} {program.version}, Python {program.python}"),
        ("Build hash", program.build),
        ("Date", date),
    )
    return Document(
        kind="sheet",
        kicker="Studies",
        title="High Card Flush: results from the exact lab" if len(parts) > 1 else parts[0].title,
        facts=tuple((label, text) for label, text in facts if text),
        mark=f"{program.name} {program.version}, build {program.build[:16]}",
        date=date,
        blocks=tuple(_blocks(parts, effort, tell)),
    )


def _blocks(parts: list[Study], effort: Effort, tell: Tell) -> Iterator[Block]:
    """Yield the blocks of each study. The studies about the house begin on a new page."""
    is_house = parts[0].order >= FIRST_OF_HOUSE
    for number, study in enumerate(parts, 1):
        blocks = study.blocks(effort, lambda words, number=number: tell(f"{number} of {len(parts)}, {words}"))  # type: ignore[misc]
        yield Heading(study.title, page=not is_house and study.order >= FIRST_OF_HOUSE)
        is_house = study.order >= FIRST_OF_HOUSE
        yield from blocks
