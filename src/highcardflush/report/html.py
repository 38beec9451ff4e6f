"""A document as one web page that needs nothing else: style sheet and charts are inside it."""

from __future__ import annotations

import re
from functools import singledispatch
from html import escape
from importlib.resources import files

from highcardflush.report.document import (
    Bullets,
    Column,
    Document,
    Figures,
    Grid,
    Heading,
    Paragraph,
    Picture,
    Value,
)
from highcardflush.report.show import exact_or_nothing, show

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


def to_html(document: Document, kind: str = "sheet") -> bytes:
    """`kind` is the style: a sheet with contents, or a card on one page."""
    facts = "\n".join(f"<div><dt>{escape(label)}</dt><dd>{escape(text)}</dd></div>" for label, text in document.facts)
    page = PAGE.format(
        title=escape(document.title),
        kicker=escape(document.kicker),
        style=files("highcardflush.report").joinpath("report.css").read_text("utf-8"),
        kind=kind,
        facts=f"<dl>\n{facts}\n</dl>" if facts else "",
        contents=_contents(document) if kind == "sheet" else "",
        main="\n".join(block_html(block) for block in document.blocks),
        mark=escape(document.mark),
    )
    return page.encode()


def _anchor(text: str) -> str:
    return re.sub("[^a-z0-9]+", "-", text.lower()).strip("-")


def _contents(document: Document) -> str:
    heads = [block.text for block in document.blocks if isinstance(block, Heading) and block.level == 1]
    items = "".join(f'<li><a href="#{_anchor(text)}">{escape(text)}</a></li>' for text in heads)
    return f'<nav aria-label="Contents"><ol>{items}</ol></nav>\n'


@singledispatch
def block_html(block: object) -> str:
    raise TypeError(f"no such block: {block!r}")


@block_html.register
def _(block: Heading) -> str:
    tag = f"h{block.level + 1}"
    anchor = f' id="{_anchor(block.text)}"' if block.level == 1 else ""
    page = ' class="page"' if block.page else ""
    return f"<{tag}{anchor}{page}>{escape(block.text)}</{tag}>"


@block_html.register
def _(block: Paragraph) -> str:
    style = ' class="note"' if block.note else ""
    return f"<p{style}>{escape(block.text)}</p>"


@block_html.register
def _(block: Bullets) -> str:
    return "<ul>" + "".join(f"<li>{escape(item)}</li>" for item in block.items) + "</ul>"


@block_html.register
def _(block: Figures) -> str:
    rows = "\n".join(
        f'<tr><th scope="row">{escape(item.label)}</th><td class="n">{escape(show(item.kind, item.value))}</td>'
        f'<td class="exact">{exact_or_nothing(item.value)}</td></tr>'
        for item in block.items
    )
    heads = '<tr><th scope="col">Figure</th><th scope="col" class="n">Value</th><th scope="col">Exact</th></tr>'
    return _table(block.title, heads, rows, "figures")


@block_html.register
def _(block: Grid) -> str:
    columns = block.columns[1:] if block.grouped else block.columns
    heads = "".join(f'<th scope="col"{_class(column)}>{escape(column.head)}</th>' for column in columns)
    lines, group = [], ""
    for row in block.rows:
        cells = row[1:] if block.grouped else row
        if block.grouped and row[0] != group:
            group = str(row[0])
            span = len(columns)
            lines.append(f'<tr class="group"><th scope="colgroup" colspan="{span}">{escape(group)}</th></tr>')
        lines.append(f"<tr>{_row(columns, cells)}</tr>")
    if block.total:
        cells = block.total[1:] if block.grouped else block.total
        lines.append(f'<tr class="total">{_row(columns, cells)}</tr>')
    return _table(block.title, f"<tr>{heads}</tr>", "\n".join(lines), "compact" if block.compact else "")


def _row(columns: tuple[Column, ...], cells: tuple[Value, ...]) -> str:
    return "".join(
        f"<td{_class(column)}>{escape(show(column.kind, value))}</td>"
        for column, value in zip(columns, cells, strict=True)
    )


def _class(column: Column) -> str:
    return {"text": "", "ranks": ' class="w"'}.get(column.kind, ' class="n"')


def _table(title: str, heads: str, rows: str, kind: str) -> str:
    style = f' class="{kind}"' if kind else ""
    caption = f"<caption>{escape(title)}</caption>" if title else ""
    head = f"<thead>{heads}</thead>" if heads else ""
    return f'<div class="wide"><table{style}>{caption}{head}<tbody>\n{rows}\n</tbody></table></div>'


@block_html.register
def _(block: Picture) -> str:
    svg = re.sub(r' xmlns(?::xlink)?="[^"]*"', "", block.draw())  # a page of HTML knows what an svg is
    svg = svg.replace("<svg", f'<svg role="img" aria-label="{escape(block.alt)}"', 1)
    return f'<figure><div class="wide">{svg}</div><figcaption>{escape(block.caption)}</figcaption></figure>'
