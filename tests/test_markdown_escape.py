import pytest

from research.core import Evidence, cite
from research.text import escape_markdown


@pytest.mark.parametrize(
    "text", ["Growth of 7.1% (2024 est.) - a record.", "前年度比12%増（推計）。", "snake_case stays", "U.S."]
)
def test_ordinary_prose_stays_as_it_is(text: str) -> None:
    assert escape_markdown(text) == text


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("*bold* `code` [x](y)", r"\*bold\* \`code\` \[x\](y)"),
        ("a | b", r"a \| b"),
        ("<script>x</script>", "&lt;script>x&lt;/script>"),
        ("&lt;b>", r"\&lt;b>"),
        ("# head", r"\# head"),
        ("- item", r"\- item"),
        ("1. item", r"1\. item"),
        ("> quote", r"\> quote"),
        ("$5 and $6", r"\$5 and \$6"),
        ("a\nb\tc", "a b c"),
        ("日本\n語", "日本語"),
        ("a\u202eb\x00c", "abc"),
        ("-5 degrees", "-5 degrees"),
    ],
)
def test_markup_of_others_is_neutralised(text: str, escaped: str) -> None:
    assert escape_markdown(text) == escaped


@pytest.mark.parametrize(
    "text", ["see [E2]", "vitamin (E2)", "［E2］", "[1]", "http://x.example/a", "[a](http://x.example)"]
)
def test_a_page_cannot_cite_or_link(text: str) -> None:
    evidence = {name: Evidence(id=name, source="S1", quote="q", start=0, end=1) for name in ("E1", "E2")}
    cited = cite(f"“{escape_markdown(text)}” [E1]", evidence, is_quoting=True)
    assert cited.evidence == ("E1",)
    assert (cited.removed_links, cited.unknown_ids) == (0, 0)
