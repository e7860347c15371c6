"""What kind of page a web address leads to, as far as its host tells."""

from __future__ import annotations

import re

from research.vocabulary import SourceKind

_HOSTS: dict[SourceKind, frozenset[str]] = {
    SourceKind.STATISTICS: frozenset(
        {
            "e-stat.go.jp",
            "stat.go.jp",
            "census.gov",
            "bls.gov",
            "bea.gov",
            "ons.gov.uk",
            "destatis.de",
            "insee.fr",
            "stats.gov.cn",
            "data.worldbank.org",
            "stats.oecd.org",
            "data.oecd.org",
            "unstats.un.org",
            "fred.stlouisfed.org",
        }
    ),
    SourceKind.PAPER: frozenset(
        {
            "arxiv.org",
            "biorxiv.org",
            "medrxiv.org",
            "ssrn.com",
            "doi.org",
            "pubmed.ncbi.nlm.nih.gov",
            "ncbi.nlm.nih.gov",
            "jstage.jst.go.jp",
            "cir.nii.ac.jp",
            "semanticscholar.org",
            "sciencedirect.com",
            "link.springer.com",
            "nature.com",
            "science.org",
            "plos.org",
            "mdpi.com",
            "ieeexplore.ieee.org",
            "dl.acm.org",
            "onlinelibrary.wiley.com",
            "academic.oup.com",
        }
    ),
    SourceKind.SOCIAL: frozenset(
        {
            "x.com",
            "twitter.com",
            "facebook.com",
            "instagram.com",
            "threads.net",
            "bsky.app",
            "linkedin.com",
            "reddit.com",
            "tiktok.com",
            "youtube.com",
            "quora.com",
            "medium.com",
            "note.com",
            "ameblo.jp",
            "chiebukuro.yahoo.co.jp",
            "tumblr.com",
            "pinterest.com",
            "mastodon.social",
        }
    ),
    SourceKind.NEWS: frozenset(
        {
            "reuters.com",
            "apnews.com",
            "afp.com",
            "bbc.com",
            "bbc.co.uk",
            "cnn.com",
            "nytimes.com",
            "wsj.com",
            "ft.com",
            "economist.com",
            "bloomberg.com",
            "theguardian.com",
            "washingtonpost.com",
            "cnbc.com",
            "nikkei.com",
            "asia.nikkei.com",
            "asahi.com",
            "yomiuri.co.jp",
            "mainichi.jp",
            "sankei.com",
            "jiji.com",
            "kyodonews.jp",
            "news.yahoo.co.jp",
            "japantimes.co.jp",
            "toyokeizai.net",
            "diamond.jp",
        }
    ),
}
_GOVERNMENT = re.compile(
    r"(?:^|\.)(?:gov|mil)(?:\.[a-z]{2})?$"
    r"|\.(?:go|gob|gouv|govt|gc)\.[a-z]{2}$"
    r"|(?:^|\.)(?:lg\.jp|admin\.ch|gouv\.fr|bund\.de|canada\.ca|europa\.eu|int)$"
)
_ACADEMIC = re.compile(r"\.edu(?:\.[a-z]{2})?$|\.ac\.[a-z]{2}$")


def kind_of(site: str, *, is_news: bool = False) -> SourceKind:
    """Return the kind of the pages of `site` (a host); `is_news` says that a news search found it."""
    for kind, hosts in _HOSTS.items():
        if _is_among(site, hosts):
            return kind
    if _GOVERNMENT.search(site):
        return SourceKind.GOVERNMENT
    if _ACADEMIC.search(site):
        return SourceKind.PAPER
    return SourceKind.NEWS if is_news else SourceKind.OTHER


def _is_among(site: str, hosts: frozenset[str]) -> bool:
    """Whether `site` is one of `hosts` or stands below one."""
    labels = site.split(".")
    return any(".".join(labels[start:]) in hosts for start in range(len(labels)))
