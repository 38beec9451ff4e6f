"""Docstrings begin with their subject or verb, and the catalogues use the usual words."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("src", "tests", "tools", "bench", "sweep", "examples")
OPENINGS = (
    *("What", "Who", "Whom", "Whose", "Which", "Whether", "How", "Where", "Why", "In how", "By which", "In which"),
    *("Of", "The same", "So", "As", "And", "That"),
)
"""Words with which no docstring begins."""
OPENING = re.compile(rf'^[ \t]*[rR]?"""\s*((?:{"|".join(OPENINGS)})\b.*)', re.MULTILINE)
ODD = (
    *("anew", "beside", "whoever", "so many", "so much", "at the most", "at the least", "befalls?"),
    *("stands?", "(?-i:[Tt]old)(?= )", "the young", "all the same", "the same again", "or no longer", "as it should"),
    *(r"(?:of|with) (?:one's|his|its|their|your|our) own", r"one's own", "another's", "by (?:it|them)sel(?:f|ves)"),
    *("(?:has|have|had) gone on", "(?:what|that) (?:became|becomes|came) of", "(?<!there )is no (?!longer)[a-z]+"),
    *("is the (?:least|most)", "what is (?:expected|wanted|asked)", "(?:has|have) not[.;,]", ", not [^,.]*, but"),
)
"""Patterns of odd English, for texts that people read."""
PATTERN = re.compile(rf"\b(?:{'|'.join(ODD)})(?!\w)", re.IGNORECASE)
PACKAGE = ROOT / "src" / "highcardflush"
JS_COMMENT = re.compile(r"/\*.*?\*/|(?:^|(?<=\s))//.*?$", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("folder", FOLDERS)
def test_docstrings_begin_with_a_subject_or_a_verb(folder: str) -> None:
    """The search takes any string at the beginning of a line, so docstrings of fields count too."""
    openings = [
        f"{path.relative_to(ROOT)}: {opening}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for opening in OPENING.findall(path.read_text("utf-8"))
    ]
    assert openings == []


def catalogue_texts() -> dict[str, list[str]]:
    """Return the texts of the server's catalogues, and the code of the page's catalogue without its comments."""
    modules = {path: ast.walk(ast.parse(path.read_text("utf-8"))) for path in sorted((PACKAGE / "words").glob("*.py"))}
    texts = {
        path.name: [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
        for path, nodes in modules.items()
    }
    page = PACKAGE / "web" / "static" / "words" / "en.js"
    return texts | {page.name: JS_COMMENT.sub("", page.read_text("utf-8")).splitlines()}


def test_catalogues_use_the_usual_words() -> None:
    texts = catalogue_texts()
    assert all(texts.values())
    odd = [f"{name}: {text.strip()}" for name, lines in texts.items() for text in lines if PATTERN.search(text)]
    assert odd == []


@pytest.mark.parametrize(
    "text", ["Bets are placed anew.", "The notice stands here.", "Rules, not of the game, but of the house."]
)
def test_odd_english_is_noticed(text: str) -> None:
    assert PATTERN.search(text)
