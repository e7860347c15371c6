"""The appendix of a report that says how it was researched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from research.core.addresses import is_web
from research.core.ledger import Page
from research.core.outline import Aspect
from research.core.presets import MethodName, StopReason
from research.export.citing import address, is_linkable
from research.language import Bilingual, Language
from research.results.record import QueryTrail, TopicTrail, Trail
from research.text.markdown import escape_markdown
from research.text.sentences import sentences

_TITLE = Bilingual("How it was researched", "調査の経過")
_FACT = Bilingual("- **{label}:** {text}", "- **{label}：** {text}")
_METHOD = Bilingual("Method", "調査方法")
_DEPTH = Bilingual("Depth", "深さ")
_DEPTH_IS = Bilingual(
    "Queries a search: at most {queries}. Searches a section: at most {iterations}. Chosen by {who}.",
    "1回の検索に最大{queries}件の検索語、1章につき最大{iterations}回の検索（{who}が決定）。",
)
_WHO = {"analyst": Bilingual("the analyst", "分析役"), "user": Bilingual("the user", "利用者")}
_PLAN = Bilingual("Plan", "計画")
_SECTIONS = Bilingual("Sections: {count}.", "{count}章。")
_EDITED = Bilingual("Edited before research began.", "調査の開始前に編集されました。")
_BUDGET = Bilingual("At most {steps} steps (searches and reflections).", "手順（検索と振り返り）の上限は{steps}回。")
_ENDED = Bilingual("Why research ended", "調査を終えた理由")
_BROKEN_OFF = Bilingual("It was broken off.", "途中で打ち切られました。")
_TOPIC = Bilingual("- **{title}** – {facts}. {ended}", "- **{title}**（{facts}）：{ended}")
_SCORE = Bilingual("computed score {score}/10", "計算した充足度 {score}/10")
_SEARCHES = Bilingual("searches: {count}", "検索{count}回")
_SECONDS = Bilingual("{seconds} s", "{seconds}秒")
_NOT_SEARCHED = Bilingual("not searched", "未検索")
_QUERIES = Bilingual("Queries: {listed}", "検索語：{listed}")
_QUERY = Bilingual("“{query}”{outcome}", "「{query}」{outcome}")
_FAILED = Bilingual(" (failed)", "（失敗）")
_NO_HITS = Bilingual(" (nothing found)", "（該当なし）")
_NO_ANSWER = Bilingual(" (not waited for)", "（結果を待たずに終了）")
_COVERAGE = Bilingual("Found of what was wanted: {listed}", "求める情報の充足率：{listed}")
_MISSING = Bilingual("Aspects not covered: {listed}", "触れていない観点：{listed}")
_COMMA = Bilingual(", ", "、")
_DOT = Bilingual(" · ", "")
_SPACE = Bilingual(" ", "")
_UNCITED = Bilingual("Pages read but not cited", "読んだが引用していないページ")
_UNCITED_ARE = Bilingual("{count} ({sites})", "{count}件（{sites}）")
_SITE = Bilingual("{site}: {count}", "{site} {count}件")
_MORE_SITES = Bilingual("other sites: {count}", "その他のサイト {count}件")
_SITES_NAMED = 8
_ADDRESSES = Bilingual("Pages referred to:", "参照したページ：")
_TITLE_AT_MOST = 120


def trail_markdown(trail: Trail, pages: Mapping[str, Page], numbers: Mapping[str, int], language: Language) -> str:
    """Return the appendix, or an empty string if nothing is known of the research.

    Args:
        trail: What happened.
        pages: Every page that was read, by id.
        numbers: Citation number of each page that the report cites.
        language: That of the report.
    """
    if not trail.topics and not trail.ended:
        return ""
    facts = [*_facts(trail, language), *_uncited(pages, numbers, language)]
    parts = [f"## {_TITLE.in_(language)}", "\n".join(facts), "\n".join(_topic(one, language) for one in trail.topics)]
    if trail.method is MethodName.CHAINED:
        parts.append(_addresses(pages, numbers, language))
    return "\n\n".join(part for part in parts if part)


def _facts(trail: Trail, language: Language) -> list[str]:
    lines = [(_METHOD, trail.method.label.in_(language))]
    if trail.depth:
        depth = _DEPTH_IS.in_(language).format(
            queries=trail.depth.queries_per_section,
            iterations=trail.depth.iterations,
            who=_WHO[trail.depth_by].in_(language),
        )
        lines.append((_DEPTH, _joined([depth, escape_markdown(trail.depth.reason)], language)))
    if trail.outline:
        plan = [_SECTIONS.in_(language).format(count=len(trail.outline.sections))]
        plan += [_EDITED.in_(language)] if trail.edited else []
        plan += [_BUDGET.in_(language).format(steps=trail.step_budget)] if trail.step_budget else []
        lines.append((_PLAN, _joined(plan, language)))
    lines.append((_ENDED, _ended(trail.ended, trail.why, language)))
    return [_FACT.in_(language).format(label=label.in_(language), text=text) for label, text in lines]


def _ended(code: str, why: str, language: Language) -> str:
    reason = (StopReason.words_of(code) if code else _BROKEN_OFF).in_(language)
    return escape_markdown(why if reason in why else _joined([reason, why], language))


def _joined(texts: Iterable[str], language: Language) -> str:
    return _SPACE.in_(language).join(text for text in texts if text)


# --- topics ----------------------------------------------------------------------------------------------------


def _topic(topic: TopicTrail, language: Language) -> str:
    facts = [_SCORE.in_(language).format(score=topic.score)] if topic.score is not None else []
    facts += [_SEARCHES.in_(language).format(count=topic.searches)] if topic.searches else []
    seconds = round(topic.seconds or 0)
    facts += [_SECONDS.in_(language).format(seconds=seconds)] if seconds else []
    head = _TOPIC.in_(language).format(
        title=escape_markdown(_name(topic)),
        facts=_COMMA.in_(language).join(facts) or _NOT_SEARCHED.in_(language),
        ended=_ended(topic.ended, topic.why, language),
    )
    details = [*_coverage(topic, language), *_queries(topic.queries, language)]
    return "\n".join([head, *(f"  - {detail}" for detail in details)])


def _name(topic: TopicTrail) -> str:
    """Return the title of a topic; of one without, its first sentence."""
    first = next(iter(sentences(topic.topic)), None)
    name = topic.title or (topic.topic[first.start : first.end] if first else topic.topic)
    name = " ".join(name.split()).rstrip(".。")
    return name if len(name) <= _TITLE_AT_MOST else name[: _TITLE_AT_MOST - 1].rstrip() + "…"


def _coverage(topic: TopicTrail, language: Language) -> list[str]:
    """Say how far what a section wants was found; of other topics, which aspects of any answer are missing."""
    if topic.title:
        kinds = [f"{escape_markdown(kind)} {share:.0%}" for kind, share in topic.coverage.items()]
        return [_COVERAGE.in_(language).format(listed=_COMMA.in_(language).join(kinds))] if kinds else []
    aspects = [_aspect(name, language) for name in topic.missing]
    return [_MISSING.in_(language).format(listed=_COMMA.in_(language).join(aspects))] if aspects else []


def _aspect(name: str, language: Language) -> str:
    return Aspect(name).label.in_(language) if name in set(Aspect) else escape_markdown(name)


def _queries(queries: Sequence[QueryTrail], language: Language) -> list[str]:
    listed = [
        _QUERY.in_(language).format(query=escape_markdown(one.query), outcome=_outcome(one).in_(language))
        for one in queries
    ]
    return [_QUERIES.in_(language).format(listed=_DOT.in_(language).join(listed))] if listed else []


def _outcome(query: QueryTrail) -> Bilingual:
    if query.hits:
        return Bilingual("", "")
    if query.failed:
        return _FAILED
    return _NO_HITS if query.answered else _NO_ANSWER


# --- pages -----------------------------------------------------------------------------------------------------


def _uncited(pages: Mapping[str, Page], numbers: Mapping[str, int], language: Language) -> list[str]:
    sites = Counter(page.site for page in pages.values() if page.id not in numbers)
    if not sites:
        return []
    named = [
        _SITE.in_(language).format(site=escape_markdown(site), count=count)
        for site, count in sites.most_common(_SITES_NAMED)
    ]
    more = len(sites) - _SITES_NAMED
    named += [_MORE_SITES.in_(language).format(count=more)] if more > 0 else []
    text = _UNCITED_ARE.in_(language).format(count=sites.total(), sites=_COMMA.in_(language).join(named))
    return [_FACT.in_(language).format(label=_UNCITED.in_(language), text=text)]


def _addresses(pages: Mapping[str, Page], numbers: Mapping[str, int], language: Language) -> str:
    """Return the address of every page that was read: those that are cited first, by their number."""
    if not pages:
        return ""
    cited = [f"- [{number}] {_linked(pages[page])}" for page, number in numbers.items()]
    others = [f"- {_linked(page)}" for page in pages.values() if page.id not in numbers]
    return "\n".join([_ADDRESSES.in_(language), "", *cited, *others])


def _linked(page: Page) -> str:
    """Return the address of a page of the web in full; of a file, its title with a link."""
    if is_web(page.url):
        return f"<{address(page.url)}>"
    title = escape_markdown(page.title)
    return f"[{title}](<{address(page.url)}>)" if is_linkable(page) else title
