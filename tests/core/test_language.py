"""Docstrings begin with their subject or verb. They, the comments and the catalogues use the usual words."""

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping
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
    *(r"stands?(?!\s+for\b)", "(?-i:[Tt]old)(?= )", "the young", "all the same", "the same again", "or no longer"),
    "as it should",
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


def explanations(path: Path) -> Iterator[str]:
    """Yield the docstrings, including those of fields, and the comments of a Python file."""
    source = path.read_text("utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def odd_texts(texts: Mapping[Path, Iterable[str]]) -> list[str]:
    return [f"{path.name}: {text.strip()}" for path, each in texts.items() for text in each if PATTERN.search(text)]


@pytest.mark.parametrize("folder", FOLDERS)
def test_docstrings_and_comments_use_the_usual_words(folder: str) -> None:
    paths = sorted((ROOT / folder).rglob("*.py"))
    assert paths
    assert odd_texts({path: explanations(path) for path in paths}) == []


def test_comments_of_scripts_use_the_usual_words() -> None:
    paths = [*sorted((PACKAGE / "web" / "static").rglob("*.js")), ROOT / "tests" / "support" / "verify.js"]
    assert len(paths) > 20
    assert odd_texts({path: JS_COMMENT.findall(path.read_text("utf-8")) for path in paths}) == []


PAGE = PACKAGE / "web" / "static" / "words" / "en.js"


def catalogue_texts() -> dict[Path, list[str]]:
    """Return the texts of the server's catalogues, and the code of the page's catalogue without its comments."""
    modules = {path: ast.walk(ast.parse(path.read_text("utf-8"))) for path in sorted((PACKAGE / "words").glob("*.py"))}
    texts = {
        path: [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
        for path, nodes in modules.items()
    }
    return texts | {PAGE: JS_COMMENT.sub("", PAGE.read_text("utf-8")).splitlines()}


def test_catalogues_use_the_usual_words() -> None:
    texts = catalogue_texts()
    assert all(texts.values())
    assert odd_texts(texts) == []


PYTHON = ("words/*.py", "terminal/telling.py", "terminal/advising.py", "pages/words.py", "house/reports/statement.py")
"""Modules with the sentences of the server, the dealer and the coach."""
HOLE = re.compile(r"\$?\{[^}]*\}")


def words_of(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9']+", text.lower()))


def test_the_page_repeats_no_sentence_of_the_server() -> None:
    """A part of a sentence counts from four words on, and a whole sentence from three."""
    joined = re.sub(r"""["`]\s*\+\s*["`]""", "", "\n".join(catalogue_texts()[PAGE]))
    page = [words_of(text) for part in re.split('["`]', joined) for text in HOLE.split(part)]
    repeated = []
    for path in (path for pattern in PYTHON for path in PACKAGE.glob(pattern)):
        nodes = ast.walk(ast.parse(path.read_text("utf-8")))
        texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
        for text in (part for whole in texts for part in HOLE.split(whole)):
            words = words_of(text)
            if len(words.split()) >= 4 - text.endswith(".") and any(f" {words} " in f" {each} " for each in page):
                repeated.append(f"{path.name}: {text}")
    assert repeated == []


@pytest.mark.parametrize(
    "text", ["Bets are placed anew.", "The notice stands here.", "Rules, not of the game, but of the house."]
)
def test_odd_english_is_noticed(text: str) -> None:
    assert PATTERN.search(text)
