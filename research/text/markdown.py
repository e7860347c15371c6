"""Markdown of others: made plain text, or read as a tree and written back without anything that leads elsewhere."""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.reference import reference
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode
from markupsafe import escape

# --- text of others inside Markdown -----------------------------------------------------------------------------

_SPACE = re.compile(r"\s+")
_LINE_END = re.compile("[\n\r\f\v\x85\u2028\u2029]")
_WIDE = re.compile("[　-鿿＀-￯]")
_SIGNS = re.compile(
    r"[\\`*\[\]|~$]|(?<!\w)_|_(?!\w)|&(?=#?\w{1,32};)|@|\{(?=[=<{%])"
    r"|:(?=//|[a-z_+\-/]{1,64}[:\[])|(?<=www)\.",
    re.IGNORECASE,
)
_TAG = re.compile(r"<(?!\s\S)")
_CITATION = re.compile(r"([\[［【(（]\s{0,4})([Ee])(?=\s?\d)")
_START = re.compile(r"^(?:>|[#+=-](?=[\s#=-]|$)|:(?=[\s-])|\d{1,9}(?=[.)](?:\s|$)))", re.MULTILINE)


def escape_markdown(text: str) -> str:
    r"""Return `text` on one line such that it shows as it is: no markup, link, HTML, formula or citation.

    Only signs that could mean something are escaped (`\[`, `\*`, `\$`, `\|`, …), so that ordinary prose stays as it
    is; what looks like a citation of this program (`[E12]`) is kept from being one. White space becomes single blanks;
    control and direction characters are dropped.
    """
    return _START.sub(_escaped_start, _escaped(_SPACE.sub(_blank, text).strip()))


def _blank(space: re.Match[str]) -> str:
    """Return what stands for white space: nothing for a line end between two wide characters."""
    around = space.string[space.start() - 1 : space.start()], space.string[space.end() : space.end() + 1]
    return "" if _LINE_END.search(space[0]) and all(map(_WIDE.match, around)) else " "


def _escaped(text: str) -> str:
    """Return text with its signs escaped, without characters that show nothing; line ends stay."""
    visible = "".join(character for character in text if not _is_hidden(character))
    escaped = _TAG.sub("&lt;", _SIGNS.sub(r"\\\g<0>", visible))
    return _CITATION.sub(lambda match: f"{match[1]}&#{ord(match[2])};", escaped)


def _escaped_start(match: re.Match[str]) -> str:
    """Escape a list or heading marker at the start: a number by its dot, which must follow it."""
    sign = match.group()
    return sign + "\\" if sign[0].isdigit() else "\\" + sign


def _is_hidden(character: str) -> bool:
    """Whether `character` shows nothing but can change what stands around it; joiners of scripts and emoji stay."""
    hidden = unicodedata.category(character) in ("Cc", "Cf", "Cs")
    return hidden and character not in "\n\u200c\u200d"


# --- reading ----------------------------------------------------------------------------------------------------

_LONGEST_LABEL = 1_000
"""Characters that Markdown allows in the label of a link."""
_DEEPEST = 6
"""Emphasis within emphasis is read so far: whoever walks the tree does so by recursion."""
_STYLES = ("em", "strong", "s")


class _Reader(MarkdownIt):
    """Reads every link as one, so that no address is left standing as markup; others say where it may lead."""

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the library's own name
        return True


def markdown_reader(**marks: re.Pattern[str]) -> MarkdownIt:
    """Return a reader of Markdown with tables, without HTML.

    Args:
        marks: What else is read as a node of its own, its text being the node's content: the node's name, and a pattern
            for all of it, which begins with a bracket, perhaps one that is escaped. A link goes first.
    """
    reader = _Reader("commonmark", {"html": False}).enable(["table", "strikethrough"])
    reader.block.ruler.at("reference", _definition, {"alt": ["paragraph"]})
    reader.core.ruler.push("shallow", _shallow)
    for opening in "([（［【":
        reader.inline.add_terminator_char(opening)
    for name, pattern in marks.items():
        reader.inline.ruler.before("escape", f"{name}_escaped", _mark_rule(name, pattern, "\\"))
        reader.inline.ruler.after("image", name, _mark_rule(name, pattern, "([（［【"))
    return reader


def _mark_rule(name: str, pattern: re.Pattern[str], openings: str) -> Callable[[StateInline, bool], bool]:
    def mark(state: StateInline, silent: bool) -> bool:
        # Not as a whole where the end of a link's words is looked for: a link may hold a mark.
        found = None if silent or state.src[state.pos] not in openings else pattern.match(state.src, state.pos)
        if found is None:
            return False
        state.push(name, "", 0).content = found.group()
        state.pos = found.end()
        return True

    return mark


def _definition(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a definition of a link, also on a line of a paragraph: no other reader shall find one there."""
    at = state.bMarks[start] + state.tShift[start]
    return state.src.find("]:", at, at + _LONGEST_LABEL) > 0 and reference(state, start, end, silent)


def _shallow(state: StateCore) -> None:
    for token in state.tokens:
        token.children = _without_deep_styles(token.children)


def _without_deep_styles(tokens: Sequence[Token] | None) -> list[Token] | None:
    """Return tokens without emphasis in emphasis of its own kind, and without what is deeper than anybody writes."""
    kept, around = [], [""]
    for token in tokens or ():
        token.children = _without_deep_styles(token.children)
        style, _, part = token.type.partition("_")
        if style not in _STYLES:
            kept.append(token)
        elif part == "open":
            is_kept = style not in around and len(around) <= _DEEPEST
            around.append(style if is_kept else "")
            kept += [token] if is_kept else []
        else:
            kept += [token] if around.pop() else []
    return None if tokens is None else kept


# --- writing ----------------------------------------------------------------------------------------------------

_ADDRESS = re.compile(
    r"(?:(?<![a-z0-9])[a-z][a-z0-9+.-]{1,20}://|(?<![\w/:])//(?=[\w-]{1,63}\.\w)|(?<![a-z0-9])www\.(?=\w))"
    r"[^\s<>()\[\]」』）、。]+",
    re.IGNORECASE,
)
_BACKTICKS = re.compile("`+")
_INFO = re.compile(r"[\w+#.-]{1,30}")
_LIKE_A_MARK = re.compile(r"\[(?=E\d)")
_SIGN_OF_STYLE = {"em": "*", "strong": "**", "s": "~~"}
_ALIGNED = {"text-align:left": ":--", "text-align:right": "--:", "text-align:center": ":-:"}
GONE = "\0"
"""Stands where something was left out, until the blank before it is taken away."""
_BLANK_BEFORE_GONE = re.compile(f"[ \\t]?{GONE}")
_JOINED_ADDRESS = re.compile(r"://|www\\?\.(?=[*~`\\]{0,9}\w)", re.IGNORECASE)
"""What pieces of a line make of an address: signs of style between them are gone where it is shown."""


class MarkdownWriter:
    """Writes what was read back as Markdown, in one form, from the parts that a report may have.

    Links and images leave their words, addresses and definitions nothing; whatever else there is stands as text.
    Where `keeps_addresses`, those that stand as text stay so, with nothing that makes links of them.
    """

    def __init__(self, *, keeps_addresses: bool = False) -> None:
        self.keeps_addresses = keeps_addresses
        self.removed = 0
        """Links, images, addresses and definitions that were left out."""

    def written(self, reader: MarkdownIt, text: str) -> str:
        """Return `text` as it is written back, without line ends around it."""
        held: dict[str, Sequence[object]] = {}
        tree = SyntaxTreeNode(reader.parse(text, held))
        self.removed += len(held.get("references", ())) + len(held.get("duplicate_refs", ()))
        return self._blocks(self.chosen(tree.children))

    def chosen(self, blocks: Sequence[SyntaxTreeNode]) -> Sequence[SyntaxTreeNode]:
        """Return the blocks of a text that are to be written."""
        return blocks

    def special(self, node: SyntaxTreeNode) -> str:
        """Return what stands for a node that this writer does not know: its text, without any meaning."""
        return self.text(node.content)

    def finished(self, line: str) -> str:
        """Return the inline text of a block as it is to stand, before its lines are looked at."""
        return line

    def text(self, text: str) -> str:
        """Return plain text as Markdown, without the addresses in it."""
        return _escaped(self._without_addresses(text))

    def _without_addresses(self, text: str) -> str:
        bare, count = (text, 0) if self.keeps_addresses else _ADDRESS.subn("", text)
        self.removed += count
        return bare

    def _blocks(self, nodes: Iterable[SyntaxTreeNode], between: str = "\n\n") -> str:
        return between.join(filter(None, map(self._block, nodes)))

    def _block(self, node: SyntaxTreeNode) -> str:  # noqa: PLR0911 - one way for each kind of block
        match node.type:
            case "heading":
                words = self.line(node).replace("\n", " ")
                return f"{'#' * int(node.tag[1:])} {words}" if words else ""
            case "paragraph":
                return self.line(node)
            case "bullet_list" | "ordered_list":
                return self._list(node)
            case "blockquote":
                return _indented(self._blocks(node.children), "> ", "> ")
            case "table":
                return self._table(node)
            case "fence" | "code_block":
                return self._code(node)
            case "hr":
                return "---"
            case _:
                return self.special(node)

    def line(self, node: SyntaxTreeNode) -> str:
        """Return the inline text of a block: its lines begin no other block, and its pieces make no address."""
        joined = _JOINED_ADDRESS.sub(r"\g<0> ", self.finished(self._inlines(node.children)))
        lines = (line.strip(" \t") for line in joined.split("\n"))
        return "\n".join(_START.sub(_escaped_start, line) for line in lines if line).replace("\f", "  ")

    def _list(self, node: SyntaxTreeNode) -> str:
        is_tight = all(part.hidden for item in node.children for part in item.children if part.type == "paragraph")
        between, number = ("\n", "\n\n")[not is_tight], int(node.attrs.get("start", 1))
        items = []
        for place, item in enumerate(node.children):
            marker = f"{number + place}{item.markup} " if node.type == "ordered_list" else f"{item.markup} "
            if held := self._blocks(item.children, between):
                items.append(_indented(held, marker, " " * len(marker)))
        return between.join(items)

    def _table(self, node: SyntaxTreeNode) -> str:
        head, *rows = (row.children for part in node.children for row in part.children)
        rule = (_ALIGNED.get(str(cell.attrs.get("style", "")), "---") for cell in head)
        cells = ([self.line(cell).replace("\n", " ") for cell in row] for row in rows)
        lines = [[self.line(cell).replace("\n", " ") for cell in head], rule, *cells]
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)

    def _code(self, node: SyntaxTreeNode) -> str:
        held = self._verbatim(node.content).rstrip("\n")
        fence = _fence(held, 3)
        info = _INFO.match(node.info.strip())
        return f"{fence}{info[0] if info else ''}\n{held}\n{fence}"

    def _verbatim(self, code: str) -> str:
        """Return code without addresses, and without anything that is read as a citation."""
        shown = "".join(sign for sign in code if sign == "\t" or not _is_hidden(sign))
        return _LIKE_A_MARK.sub("[ ", self._without_addresses(shown))

    def _inlines(self, nodes: Iterable[SyntaxTreeNode]) -> str:
        return _BLANK_BEFORE_GONE.sub("", "".join(map(self._inline, nodes)))

    def _inline(self, node: SyntaxTreeNode) -> str:  # noqa: PLR0911 - one way for each kind of piece
        match node.type:
            case "inline":
                return "".join(map(self._inline, node.children))
            case "text":
                return self.text(node.content)
            case "softbreak":
                return "\n"
            case "hardbreak":
                return "\f\n"
            case "code_inline":
                return self._code_span(node)
            case "em" | "strong" | "s":
                return self._styled(node)
            case "link" | "image":
                self.removed += 1
                return "" if node.markup == "autolink" else self.linked(node)
            case _:
                return self.special(node)

    def linked(self, node: SyntaxTreeNode) -> str:
        """Return what stays of a link or an image: its words."""
        return "".join(map(self._inline, node.children))

    def _styled(self, node: SyntaxTreeNode) -> str:
        words, sign = self._inlines(node.children), _SIGN_OF_STYLE[node.type]
        bare = words.strip()
        if not bare:
            return words
        start = len(words) - len(words.lstrip())
        return f"{words[:start]}{sign}{bare}{sign}{words[start + len(bare) :]}"

    def _code_span(self, node: SyntaxTreeNode) -> str:
        held = self._verbatim(node.content)
        if not held.strip():
            return ""
        held = held.replace("|", "\\|") if _is_in_table(node) else held
        fence = _fence(held, 1)
        padding = " " if held.startswith("`") or held.endswith("`") or held[0] == held[-1] == " " else ""
        return f"{fence}{padding}{held}{padding}{fence}"


def _indented(text: str, first: str, later: str) -> str:
    """Return lines behind a prefix, the first behind one of its own."""
    head, *rest = text.split("\n")
    return "\n".join([first + head, *(later + line if line else later.rstrip(" ") for line in rest)]) if text else ""


def _fence(code: str, least: int) -> str:
    longest = max(map(len, _BACKTICKS.findall(code)), default=0)
    return "`" * max(least, longest + 1)


def _is_in_table(node: SyntaxTreeNode) -> bool:
    parent = node.parent
    while parent is not None and parent.type not in ("td", "th"):
        parent = parent.parent
    return parent is not None


BETWEEN_CELLS = " | "
"""What stands between the cells of a row that is read as a sentence."""


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of cells, which are Markdown already, as a table without a last line end; the first is its head."""
    head, *others = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([head, f"|{' --- |' * len(rows[0])}", *others])


def html_table(rows: Sequence[Sequence[str]], title: str = "") -> str:
    """Return rows of cells, which are plain text, as a table in HTML below its title; the first is its head."""
    head, *others = ("".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row)
                     for tag, row in zip(["th", *["td"] * len(rows)], rows, strict=False))  # fmt: skip
    caption = f"<caption><b>{escape(title)}</b></caption>" if title else ""
    return f"<table>{caption}<tr>{head}</tr>{''.join(f'<tr>{row}</tr>' for row in others)}</table>"


_SHOWN = 300
"""Characters of a line of a card."""


class Card(ABC):
    """Something that a notebook shows as a small table instead of all that it holds."""

    @abstractmethod
    def _card(self) -> tuple[str, Sequence[tuple[str, str]]]:
        """Return what stands above, and name and value of each line."""

    def _repr_markdown_(self) -> str:
        title, rows = self._card()
        lines = [f"| {_cell(name)} | {_cell(value)} |" for name, value in rows]
        return "\n".join([f"**{_cell(title)}**", "", "| | |", "|---|---|", *lines]) + "\n"

    def _repr_html_(self) -> str:
        title, rows = self._card()
        style = ' style="text-align: left; vertical-align: top"'
        lines = [f"<tr><th{style}>{_shown(name)}</th><td{style}>{_shown(value)}</td></tr>" for name, value in rows]
        return f"<table><caption><b>{_shown(title)}</b></caption>{''.join(lines)}</table>"


def _shown(text: str) -> str:
    """Return a text on one line as HTML, shortened."""
    return str(escape(_short(text)))


def _cell(text: str) -> str:
    """Return a text on one line as a cell of a Markdown table, shortened."""
    return escape_markdown(_short(text))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[:_SHOWN] + "…"


_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")


def unlinked(text: str) -> str:
    """Return a text with the words of its links alone: addresses say nothing of what it is about."""
    return _LINK.sub(r"\1", text) if "](" in text else text
