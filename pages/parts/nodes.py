"""Trees of elements, made of text alone, and the component that shows them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
from markdown_it.tree import SyntaxTreeNode
from pydantic import TypeAdapter, ValidationError

from research.core import render_marks
from research.language import Language
from research.text import language_of, markdown_reader


@dataclass(frozen=True)
class Element:
    """An element; `key` keeps its identity (and what the reader opened in it) while its siblings change."""

    tag: str
    attributes: Mapping[str, str]
    children: tuple[Element | str, ...]
    key: str = ""

    def to_data(self) -> list[Any]:
        """Return the element as the browser receives it: [tag, attributes, children, key]."""
        children = [child.to_data() if isinstance(child, Element) else child for child in self.children]
        return [self.tag, dict(self.attributes), children, self.key]

    def text(self) -> str:
        """Return all text in the element, in order."""
        return "".join(child.text() if isinstance(child, Element) else child for child in self.children)

    def find(self, kind: str) -> list[Element]:
        """Return the elements under this one whose class list holds `kind`, in order."""
        inner = [child for child in self.children if isinstance(child, Element)]
        return [match for child in inner for match in child._matches(kind)]

    def _matches(self, kind: str) -> list[Element]:
        own = [self] if kind in self.attributes.get("class", "").split() else []
        return own + self.find(kind)


def el(tag: str, kind: str = "", *children: Element | str | None, key: str = "", **attributes: str | None) -> Element:
    """Make an element of class `kind`; what is None or empty is left out.

    `for_` stands for `for`; other underscores stand for hyphens (`aria_label`).
    """
    named = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items() if value is not None}
    if kind:
        named["class"] = kind
    return Element(tag, named, tuple(child for child in children if child not in (None, "")), key)


def group(
    tag: str, kind: str, children: Iterable[Element | str | None], *, key: str = "", **more: str | None
) -> Element:
    """Make an element from a sequence of children."""
    return el(tag, kind, *children, key=key, **more)


def rows_of(kind: str, rows: Iterable[tuple[str, str]], of_row: str = "", *, lang: str | None = None) -> Element:
    """Make a list of names, each with its value; `of_row` is the class of a row."""
    pairs = [el("div", of_row, el("dt", "", name), el("dd", "", value), key=name) for name, value in rows]
    return group("dl", kind, pairs, lang=lang)


def icon(name: str, kind: str = "") -> Element:
    """Make a Material symbol; it says nothing to a screen reader, so the words must stand beside it."""
    return el("span", f"icon {kind}".strip(), name, aria_hidden="true", translate="no")


def lang_of(words: str) -> str:
    """Return the `lang` of words that are not the program's, by which their lines break and they are read aloud."""
    return language_of(words).value


def link(url: str, label: str, kind: str = "") -> Element:
    """Make a link that opens in a new tab, or plain text if the address is not one of the web."""
    if urlsplit(url).scheme not in ("http", "https"):
        return el("span", kind, label, lang=lang_of(label))
    return el("a", kind, label, href=url, target="_blank", rel="noopener noreferrer", lang=lang_of(label))


def sender(
    message: str, kind: str, *children: Element | str | None, key: str = "", **attributes: str | None
) -> Element:
    """Make a button that sends `message` to the page."""
    return el("button", kind, *children, key=key, type="button", data_send=message, **attributes)


_TOLD = TypeAdapter(list[tuple[float, str]])
_ASSETS = Path(__file__).parent / "assets"
_SCRIPTS = (
    "floating.js",
    "tabs.js",
    "dialog_keys.js",
    "card.js",
    "contents.js",
    "pressed.js",
    "arrival.js",
    "focus.js",
    "view.js",
)
"""One module in several files, in this order."""
_STYLES = (
    "base", "research", "report", "lists", "plan", "settings", "library", "reading", "sources", "brief", "live"
)  # fmt: skip
"""One style sheet in several files; of two rules that say as much, the later holds."""
_HTML = """
<div class="view"></div>
<div class="card" popover="manual" role="dialog" tabindex="-1"></div>
"""

_deliver = st.components.v2.component(
    "workbench_assets",
    html="""
<span hidden></span>
""",
    js="\n".join((_ASSETS / name).read_text(encoding="utf-8") for name in _SCRIPTS),
)
_STYLE = "\n".join((_ASSETS / "view" / f"{name}.css").read_text(encoding="utf-8") for name in _STYLES)

# What a component is made of travels with every redraw, so all of it but this comes to a page once.
_mount = st.components.v2.component(
    "workbench_view",
    html=_HTML,
    js="""
export default async (component) => {
  globalThis.workbench ??= Promise.withResolvers()
  return (await globalThis.workbench.promise)(component)
}
""",
)


def deliver_assets(language: Language) -> None:
    """Bring the browser what every `show_nodes` draws with, and tell it in which language the interface speaks."""
    _deliver(key="assets", data={"style": _STYLE, "lang": language.value}, height=1)


def show_nodes(
    tree: Iterable[Element],
    *,
    key: str,
    language: Language,
    cards: Mapping[str, Iterable[Element]] | None = None,
    on_message: Callable[[str], None] | None = None,
) -> None:
    """Show `tree`, whose text is in `language`.

    `cards` holds what an element with `data-card` opens, under that name. `on_message` is called with the
    message of a `nodes.sender` that was pressed, before the page runs again.
    """

    def sent() -> None:
        for message in _unheard(key):
            if on_message is not None:
                on_message(message)

    _mount(
        key=key,
        data={
            "tree": [element.to_data() for element in tree],
            "cards": {name: [element.to_data() for element in card] for name, card in (cards or {}).items()},
            "lang": language.value,
        },
        on_sent_change=sent,
    )


def _unheard(key: str) -> list[str]:
    """Return the messages that came with the last press and were not heard yet, in the order of the presses.

    A press tells of those shortly before it as well, each with its moment: while a run of the page is due, Streamlit
    keeps only the last thing that a component sent.
    """
    heard = f"{key} heard until"
    try:
        told = _TOLD.validate_python(st.session_state[key].get("sent"))
    except ValidationError:
        return []  # a browser sent what no button sends
    fresh = [(at, message) for at, message in told if at > st.session_state.get(heard, 0.0)]
    st.session_state[heard] = max((at for at, _ in fresh), default=st.session_state.get(heard, 0.0))
    return [message for _, message in fresh]


_reader = markdown_reader()

_OPEN, _CLOSE = "⸦", "⸧"
"""Around what the program puts into the text. Punctuation, so that emphasis beside it is still read as emphasis."""
_MARK = re.compile(f"{_OPEN}([ce])([^{_CLOSE}]*){_CLOSE}")
_PRIVATE = str.maketrans(_OPEN + _CLOSE, "()")
_STOPS = ".,;:!?)\\]”’。、，；：！？」』）"
_PLACE = re.compile(f"{_OPEN}s(?P<start>[0-9]+){_CLOSE}|(?P<ending>(?:{_OPEN}[ce][^{_CLOSE}]*{_CLOSE}[{_STOPS}]*)+)")
"""Where a sentence starts, or citations and ends of sentences with the stops between and behind them."""

_ROOMY = "。、！？」』）"
"""Japanese stops and brackets that bring the white space behind them along."""

_LAST_WORD = re.compile(r"[!-~À-ɏ–—’”]{1,24}$|.$")

_FIGURE = re.compile(
    r"((?:[0-9][0-9,.]{0,19}[〜～~-])?[0-9][0-9,.]{0,19}(?:[兆億万千百][0-9,.]{0,9}){0,9}"
    r"(?:円|ドル|ユーロ|トン|ポイント|時間|年度?|[かカヶ][国所月年]|[月日人名社件台倍分秒回歳割]|(?<=[兆億万千百])))"
)
"""A Japanese figure with its unit, which a line may break before but not in."""

_ROW = re.compile(r"(\|\s*)(.*?)(\s*\|?\s*)")
"""A row of a table, with the bars at its ends."""

_SAME_TAG = {
    "paragraph": "p",
    "strong": "strong",
    "em": "em",
    "s": "s",
    "bullet_list": "ul",
    "list_item": "li",
    "blockquote": "blockquote",
    "thead": "thead",
    "tbody": "tbody",
    "tr": "tr",
    "th": "th",
    "td": "td",
    "hr": "hr",
}

_BLOCKS = frozenset(("heading", "paragraph", "list_item", "td", "th"))
"""What is told in one language."""
_WORDS = re.compile(r"[^\W\d_]{3}")
"""What has a language: more than figures and a unit."""

COMPUTED = "computed"
"""Class of the words of a calculation: what it came to stands out, and how it was worked out is quiet."""
_CALCULATION = re.compile(r"(?P<of>.*[:：]\s?)(?P<result>[^:：]{1,80}?)(?P<working> = .*)", re.DOTALL)

Cite = Callable[[list[str]], Element | None]
"""Makes the mark of a citation from the evidence ids it stands for."""


@dataclass(frozen=True)
class Badge:
    """A mark behind a sentence of the draft, and the class that its words get, if any."""

    start: int
    """Offsets in the draft."""
    end: int
    mark: Element
    kind: str = ""


def report_body(draft: str, cite: Cite, language: Language, badges: Sequence[Badge] = ()) -> list[Element]:
    """Return a cleaned draft (see `research.core.citations`) as elements, each `[E1, E2]` as `cite` draws it.

    Headings are one level lower than written, because the page has its own title. `badges` are in the order of the
    draft and do not overlap.
    """
    marked = render_marks(
        _with_badges(draft.translate(_PRIVATE), badges), lambda ids: f"{_OPEN}c{','.join(ids)}{_CLOSE}"
    )
    tree = SyntaxTreeNode(_reader.parse(marked))
    painter = _Painter(cite, badges, language)
    return [node for node in painter.all(tree) if isinstance(node, Element)]


def _with_badges(draft: str, badges: Sequence[Badge]) -> str:
    """Return the draft with the places noted at which sentences start and end."""
    parts, at = [], 0
    for number, badge in enumerate(badges):
        start, end = f"{_OPEN}s{number}{_CLOSE}", f"{_OPEN}e{number}{_CLOSE}"
        piece = draft[badge.start : badge.end]
        row = _ROW.fullmatch(piece)  # in a table the marks belong into the cells
        wrapped = f"{row[1]}{start}{row[2]}{end}{row[3]}" if row else start + piece + end
        parts += [draft[at : badge.start], wrapped]
        at = badge.end
    return "".join([*parts, draft[at:]])


class _Painter:
    def __init__(self, cite: Cite, badges: Sequence[Badge], language: Language) -> None:
        self._cite = cite
        self._badges = badges
        self._language = language
        self._kind = ""
        """Class of the words of the sentence that is being drawn."""
        self._works_out = False
        """Whether what is drawn of a calculation is how it was worked out."""

    def all(self, parent: SyntaxTreeNode) -> Iterator[Element | str]:
        for child in parent.children:
            yield from self._one(child)

    def _one(self, node: SyntaxTreeNode) -> Iterator[Element | str]:
        inner = self.all
        match node.type:
            case "text":
                yield from self._text(node.content)
            case "softbreak":
                yield "" if self._language is Language.JA else " "
            case "hardbreak":
                yield el("br")
            case "inline" | "link" | "image":  # of a draft only the citations lead anywhere
                yield from inner(node)
            case "paragraph" if node.hidden:
                yield from inner(node)
            case "heading":
                level = str(min(6, int(node.tag[1:]) + 1))
                yield group(f"h{level}", "", inner(node), lang=self._lang_of(node))
            case "ordered_list":
                yield group("ol", "", inner(node), start=_attribute(node, "start"))
            case kind if kind in _SAME_TAG:
                yield group(_SAME_TAG[kind], "", inner(node), lang=self._lang_of(node))
            case _:
                yield self._special(node)

    def _lang_of(self, node: SyntaxTreeNode) -> str | None:
        """Return the language of a block whose words are of another one than the report's, as a quote's may be."""
        words = (
            next((part.content for part in node.walk() if part.type == "inline"), "") if node.type in _BLOCKS else ""
        )
        language = language_of(words) if _WORDS.search(words) else self._language
        return None if language is self._language else language.value

    def _special(self, node: SyntaxTreeNode) -> Element | str:
        match node.type:
            case "table":
                return el("div", "scroll", group("table", "", self.all(node)), tabindex="0")
            case "code_inline":
                return el("code", "", *self._text(node.content))
            case "code_block" | "fence":
                return el("pre", "", el("code", "", *self._text(node.content)))
            case _:
                return node.content

    def _text(self, text: str) -> Iterator[Element | str]:
        """Yield text and marks; a mark stays on the line of the word before it and of the stop behind it."""
        at = 0
        for place in _PLACE.finditer(text):
            words, at = text[at : place.start()], place.end()
            if place["start"] is not None:
                yield from self._words(words)
                self._kind, self._works_out = self._badges[int(place["start"])].kind, False
            else:
                yield from self._ending(words.rstrip(" "), place["ending"])
        yield from self._words(text[at:])

    def _ending(self, words: str, ending: str) -> Iterator[Element | str]:
        """Yield the words before one or more marks, and the marks."""
        parts: list[Element | str | None] = list(_MARK.split(ending)[::3])
        for place, (what, name) in enumerate(_MARK.findall(ending)):
            mark = self._cite(name.split(",")) if what == "c" else self._badges[int(name)].mark
            parts.insert(2 * place + 1, mark)
        tail = _LAST_WORD.search(words) if any(isinstance(part, Element) for part in parts) else None
        last = tail[0] if tail else ""
        yield from self._words(words.removesuffix(last))
        kind = "working" if self._works_out else self._kind
        yield group("span", f"nobr {kind}".strip(), _closed_up([last, *parts]))
        if f"{_OPEN}e" in ending:
            self._kind = ""

    def _words(self, words: str) -> Iterator[Element | str]:
        if self._kind == COMPUTED and not self._works_out and (found := _CALCULATION.fullmatch(words)):
            yield from unbroken(found["of"])
            yield group("strong", "", unbroken(found["result"]))
            words, self._works_out = found["working"], True
        pieces = list(mixed(words, self._language))
        if self._kind and pieces:
            yield group("span", "working" if self._works_out else self._kind, pieces)
        else:
            yield from pieces


_JAPANESE = re.compile(
    r"((?:[0-9][0-9,.]{0,19})?[ぁ-ヿ㐀-鿿](?:[、-ヿ㐀-鿿！-￠0-9,.·・%％]{0,200}[、-ヿ㐀-鿿！-￠])?)"
)
"""Japanese within English, as the title of a document; figures in it, and what it is bracketed by, are part of it."""


def mixed(words: str, language: Language) -> Iterator[Element | str]:
    """Yield text in a language; what is Japanese in English stands by itself, as its lines end where a phrase does."""
    if language is Language.JA:
        yield from unbroken(words)
        return
    for place, piece in enumerate(_JAPANESE.split(words)):
        if piece:
            yield group("span", "", unbroken(piece), lang=Language.JA.value) if place % 2 else piece


def unbroken(words: str) -> Iterator[Element | str]:
    """Yield text, and the Japanese figures in it, each of which stays on one line."""
    for place, piece in enumerate(_FIGURE.split(words)):
        if piece:
            yield el("span", "nobr", piece) if place % 2 else piece


def _closed_up(parts: Sequence[Element | str | None]) -> Iterator[Element | str]:
    """Yield parts, each mark close to the Japanese stop before it: the white space comes behind the mark."""
    told = [part for part in parts if part not in (None, "")]
    for part, after in zip(told, [*told[1:], ""], strict=True):
        if isinstance(part, str) and part[-1] in _ROOMY and isinstance(after, Element):
            yield part[:-1]
            yield el("span", "stop", part[-1])
        elif part is not None:
            yield part


def _attribute(node: SyntaxTreeNode, name: str) -> str | None:
    value = node.attrs.get(name)
    return None if value is None else str(value)
