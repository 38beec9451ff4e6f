"""Writes a document as one web page that includes its style sheet and charts."""

import re
from html import escape
from importlib.resources import files
from itertools import groupby
from typing import assert_never

from highcardflush.formats.show import exact_or_nothing, show, show_row
from highcardflush.pages.document import Block, Bullets, Document, Figures, Grid, Heading, Paragraph, Picture

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{style}</style>
</head>
<body class="{kind}">
<header>
<p class="kicker">{kicker}</p>
<h1>{title}</h1>
{facts}
</header>
{contents}<main>
{main}
</main>
<footer>{mark}</footer>
</body>
</html>
"""


def to_html(document: Document) -> bytes:
    """Return the page. A sheet gets a table of contents, but a card does not."""
    heads = [block.text for block in document.blocks if isinstance(block, Heading) and block.level == 1]
    items = "".join(f'<li><a href="#{_anchor(text)}">{escape(text)}</a></li>' for text in heads)
    contents = f'<nav aria-label="Contents"><ol>{items}</ol></nav>\n'
    facts = "\n".join(f"<div><dt>{escape(label)}</dt><dd>{escape(text)}</dd></div>" for label, text in document.facts)
    page = PAGE.format(
        title=escape(document.title),
        kicker=escape(document.kicker),
        style=files("highcardflush.formats").joinpath("report.css").read_text("utf-8"),
        kind=document.kind,
        facts=f"<dl>\n{facts}\n</dl>" if facts else "",
        contents=contents if document.kind == "sheet" else "",
        main="\n".join(_block_html(block) for block in document.blocks),
        mark=escape(document.mark),
    )
    return page.encode()


def _anchor(text: str) -> str:
    return re.sub("[^a-z0-9]+", "-", text.lower()).strip("-")


def _block_html(block: Block) -> str:
    match block:
        case Heading(text, level, page):
            tag = f"h{level + 1}"
            anchor = f' id="{_anchor(text)}"' if level == 1 else ""
            style = ' class="page"' if page else ""
            return f"<{tag}{anchor}{style}>{escape(text)}</{tag}>"
        case Paragraph(text, note):
            style = ' class="note"' if note else ""
            return f"<p{style}>{escape(text)}</p>"
        case Bullets(items):
            return "<ul>" + "".join(f"<li>{escape(item)}</li>" for item in items) + "</ul>"
        case Figures():
            return _figures(block)
        case Grid():
            return _grid(block)
        case Picture(chart, caption, alt):
            from highcardflush.formats.charts import draw  # Altair and Numba are slow to load

            svg = re.sub(r' xmlns(?::xlink)?="[^"]*"', "", draw(chart))  # HTML needs no namespaces
            svg = svg.replace("<svg", f'<svg role="img" aria-label="{escape(alt)}"', 1)
            return f'<figure><div class="wide">{svg}</div><figcaption>{escape(caption)}</figcaption></figure>'
        case _:
            assert_never(block)


def _figures(block: Figures) -> str:
    rows = "\n".join(
        f'<tr><th scope="row">{escape(item.label)}</th><td class="n">{escape(show(item.kind, item.value))}</td>'
        f'<td class="exact">{exact_or_nothing(item.value).replace("/", "/<wbr>")}</td></tr>'
        for item in block.items
    )
    heads = '<tr><th scope="col">Figure</th><th scope="col" class="n">Value</th><th scope="col">Exact</th></tr>'
    return _table(block.title, heads, rows, "figures")


def _grid(block: Grid) -> str:
    columns = block.columns[1:] if block.grouped else block.columns
    styles = [{"text": "", "ranks": ' class="w"'}.get(column.kind, ' class="n"') for column in columns]
    heads = _cells("th", [f' scope="col"{style}' for style in styles], [column.head for column in columns])
    lines = []
    for group, rows in groupby(block.rows, lambda row: row[0] if block.grouped else ""):
        if block.grouped:
            head = f'<th scope="colgroup" colspan="{len(columns)}">{escape(str(group))}</th>'
            lines.append(f'<tr class="group">{head}</tr>')
        lines += [f"<tr>{_cells('td', styles, show_row(columns, row))}</tr>" for row in rows]
    if block.total:
        lines.append(f'<tr class="total">{_cells("td", styles, show_row(columns, block.total))}</tr>')
    return _table(block.title, f"<tr>{heads}</tr>", "\n".join(lines), "compact" if block.compact else "")


def _cells(tag: str, styles: list[str], texts: list[str]) -> str:
    return "".join(f"<{tag}{style}>{escape(text)}</{tag}>" for style, text in zip(styles, texts, strict=True))


def _table(title: str, heads: str, rows: str, kind: str) -> str:
    style = f' class="{kind}"' if kind else ""
    caption = f"<caption>{escape(title)}</caption>" if title else ""
    return f'<div class="wide"><table{style}>{caption}<thead>{heads}</thead><tbody>\n{rows}\n</tbody></table></div>'
