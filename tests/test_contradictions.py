"""What different sources say differently: figures, dates and opposite statements, found by rules that doubt."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from research.core import Ledger
from research.library import Document, read
from research.sources.local import _entries, country_name, country_page
from research.verification import Contradiction, ContradictionKind, contradictions
from tests.support.ledgers import ledger_of


def found_in(ledger: Ledger) -> tuple[Contradiction, ...]:
    return contradictions(ledger.evidence.values(), ledger.pages)


def between(one: str, other: str, dates: tuple[str | None, str | None] = ("2024-05", "2024-06")) -> list[Contradiction]:
    documents = {
        "report": Document(one, "Report A", dates[0]),
        "news": Document(other, "News B", dates[1]),
    }
    return list(found_in(ledger_of(documents)))


FIGURES = [
    (
        "The global EV market was valued at USD 388 billion in 2023.",
        "According to a new report, the global EV market reached $255.5 billion in 2023, driven by cheaper batteries.",
    ),
    (
        "Toyota's net revenue was 45.1 trillion yen in fiscal 2024.",
        "In fiscal 2024, Toyota posted net revenue of 48.0 trillion yen.",
    ),
    (
        "Japan's unemployment rate was 2.5% in March 2024.",
        "The unemployment rate in Japan stood at 2.7% in March 2024.",
    ),
    ("Vietnam's GDP grew by 7.1% in 2024.", "Vietnam's GDP growth was 6.4% in 2024."),
    ("Exports from Germany rose 3% in 2023.", "Exports from Germany fell 3% in 2023."),
    ("日本の失業率は2024年3月に2.5%だった。", "2024年3月の日本の失業率は2.7%となった。"),
    ("ベトナムの輸出額は2023年に3,550億ドルだった。", "2023年のベトナムの輸出額は4,050億ドルに達した。"),
    (
        "ベトナムの電力消費量は2023年に2,500億kWhだった。",
        "Vietnam's electricity consumption was 281 billion kWh in 2023.",
    ),
    ("インドネシアの人口は2023年に2億7,800万人だった。", "Indonesia's population was 281 million people in 2023."),
    ("Acme Corp employs 12,000 people in Poland.", "Acme Corp employs 15,500 people in Poland."),
    (
        "| Item | 2023 | 2024 |\n|---|---|---|\n| Vietnam exports ($bn) | 355 | 405 |",
        "Exports of Vietnam were $380 billion in 2023.",
    ),
    ("Malaysia: Population: 34.3 million (2023 est.)", "Malaysia's population was 33.2 million in 2023."),
    (
        "日本の再生可能エネルギー比率は2030年度に36%とする目標である。",
        "日本は2030年度の再生可能エネルギー比率を38%にする目標を掲げている。",
    ),
]


@pytest.mark.parametrize(("one", "other"), FIGURES)
def test_the_same_quantity_with_two_values(one: str, other: str) -> None:
    (found,) = between(one, other)
    assert found.kind is ContradictionKind.FIGURES
    assert [side.source for side in found.sides] == ["S1", "S2"]
    assert found.subject
    assert all(side.value in side.quote for side in found.sides)


DATES = [
    ("The Tanaka bridge opened in May 2019.", "The Tanaka bridge opened in July 2021."),
    ("Zentra was founded in 1998.", "Zentra was founded in 2001."),
    ("三笠電機は1998年に設立された。", "三笠電機の設立は2001年である。"),
    (
        "The merger of Alpha Bank and Beta Bank was completed in March 2022.",
        "The merger of Alpha Bank and Beta Bank was completed in May 2022.",
    ),
]


@pytest.mark.parametrize(("one", "other"), DATES)
def test_one_event_with_two_dates(one: str, other: str) -> None:
    (found,) = between(one, other)
    assert found.kind is ContradictionKind.DATES


STATEMENTS = [
    (
        "The Ministry of Health approved the vaccine Zentra in 2021.",
        "In 2021 the Ministry of Health rejected the vaccine Zentra.",
    ),
    (
        "政府は2024年にアルファ計画への補助金の延長を承認した。",
        "政府は2024年にアルファ計画への補助金の延長を否決した。",
    ),
    (
        "The European Commission will ban the pesticide Zentra in 2026.",
        "In 2026 the European Commission will allow the pesticide Zentra.",
    ),
    (
        "Honda will close its Swindon plant in July 2021.",
        "Honda will not close its Swindon plant in July 2021.",
    ),
]


@pytest.mark.parametrize(("one", "other"), STATEMENTS)
def test_one_says_the_opposite_of_the_other(one: str, other: str) -> None:
    (found,) = between(one, other)
    assert found.kind is ContradictionKind.STATEMENTS


NEITHER = [
    # another thing
    (
        "The global EV market was valued at USD 388 billion in 2023.",
        "The global EV battery market was valued at USD 90 billion in 2023.",
    ),
    (
        "Toyota's operating profit was 5.4 trillion yen in fiscal 2024.",
        "Toyota's net profit was 4.9 trillion yen in fiscal 2024.",
    ),
    ("Apple's iPhone sales were $200 billion in fiscal 2023.", "Apple's sales were $383 billion in fiscal 2023."),
    ("日本の名目GDPは2023年に591兆円だった。", "日本の実質GDPは2023年に558兆円だった。"),
    ("ベトナムの輸出額は2023年に3,550億ドルだった。", "ベトナムの輸入額は2023年に3,260億ドルだった。"),
    ("連結売上高は2024年度に100億円だった。", "単体売上高は2024年度に80億円だった。"),
    ("ベトナムの実質GDP成長率は2023年に5.0%だった。", "Vietnam's industrial production growth was 3% in 2023."),
    (
        "ベトナムの製造業の工業生産は2023年に3.6%増加した。",
        "Vietnam's industrial production rose 1.5% in 2023.",
    ),
    (
        "The median salary at Acme Corp was $85,000 in 2023.",
        "The average salary at Acme Corp was $97,000 in 2023.",
    ),
    (
        "Germany generated 12% of its electricity from solar in 2023.",
        "Germany generated 27% of its electricity from wind in 2023.",
    ),
    ("ドイツの若年失業率は2024年に6.8%だった。", "Germany's unemployment rate was 3.4% in 2024."),
    (
        "中国の家庭用電力消費は2023年に1兆3,500億kWhだった。",
        "China's electricity consumption was 9.2 trillion kWh in 2023.",
    ),
    # another region, company or model
    (
        "Germany: Export partners: France 8%, Poland 6% (2023)",
        "France: Export partners: Germany 13%, Spain 8% (2023)",
    ),
    (
        "The EV market in Europe was valued at USD 100 billion in 2023.",
        "The global EV market was valued at USD 388 billion in 2023.",
    ),
    ("Samsung's market share in India was 18% in Q1 2024.", "Xiaomi's market share in India was 19% in Q1 2024."),
    ("日産の売上高は2024年度に12.6兆円だった。", "Toyota's revenue was 48 trillion yen in fiscal 2024."),
    ("The price of the AN-300-45 pump is 1,280,000 yen.", "The price of the AN-300-15 pump is 640,000 yen."),
    ("東京の人口は1,400万人である。", "大阪の人口は880万人である。"),
    # a part of it
    ("Japan's youth unemployment rate was 4.1% in March 2024.", "Japan's unemployment rate was 2.6% in March 2024."),
    ("Exports to Japan and South Korea reached $5bn in 2023.", "Exports to South Korea reached $3bn in 2023."),
    (
        "Exports of cars and machinery parts from Japan reached $5bn in 2023.",
        "Exports of machinery parts from Japan reached $2bn in 2023.",
    ),
    ("In the retail sector, Thailand's sales were $5bn in 2023.", "Thailand's sales were $9bn in 2023."),
    ("日本の人口は2023年に1億2,435万人だった。", "日本の人口のうち65歳以上は2023年に3,623万人だった。"),
    (
        "The drug Zentra reduced deaths by 30% in patients over 65 in Japan.",
        "The drug Zentra reduced deaths by 20% in Japan.",
    ),
    ("トヨタの国内販売台数は2024年度に150万台だった。", "トヨタの販売台数は2024年度に950万台だった。"),
    # another time
    (
        "Toyota's net revenue was 45.1 trillion yen in fiscal 2024.",
        "Toyota's net revenue was 37.2 trillion yen in fiscal 2023.",
    ),
    (
        "Boeing delivered 528 aircraft in 2023.",
        "Boeing delivered 157 aircraft in the fourth quarter of 2023.",
    ),
    ("Prices of copper rose in March 2024.", "Prices of copper rose in April 2024."),
    ("Exports of Japan rose in 2023.", "Exports of Japan fell in 2024."),
    # another standing
    (
        "Toyota's net revenue was 45.1 trillion yen in fiscal 2024.",
        "Toyota expects net revenue of 48.0 trillion yen in fiscal 2024.",
    ),
    ("Shipments could reach 5 million units in Japan in 2025.", "Shipments in Japan reached 6 million units in 2025."),
    ("Up to 5 million units were shipped in Japan in 2025.", "In Japan 4 million units were shipped in 2025."),
    ("Inflation in Turkey was between 40% and 50% in 2024.", "Inflation in Turkey was 58% in 2024."),
    # another sort of figure
    ("Unemployment in Spain fell to 11.2% in 2024.", "Unemployment in Spain fell by 0.7% in 2024."),
    ("GDP per capita of Japan was $34,000 in 2023.", "GDP of Japan was $40,000 in 2023."),
    ("Japan's GDP grew 0.5% quarter on quarter in Q2 2024.", "Japan's GDP grew 1.2% in Q2 2024."),
    # rounded
    ("Vietnam's population is about 100 million.", "Vietnam's population is 100.9 million."),
    ("売上高は1兆2,345億円だった。トヨタの発表。", "トヨタの売上高は1.23兆円だった。"),
    # events that may be several
    ("The company opened a factory in Vietnam in 2019.", "The company opened a factory in Vietnam in 2023."),
    ("The Osaka plant was closed in 2019.", "The Osaka plant was opened in 1975."),
    ("The plant in Osaka will not open in 2025.", "The plant in Nagoya will open in 2025."),
    (
        "Zentra raised $30 million in a Series A round in 2021.",
        "Zentra raised $80 million in a Series B round in 2021.",
    ),
]


@pytest.mark.parametrize(("one", "other"), NEITHER)
def test_what_only_looks_like_a_contradiction(one: str, other: str) -> None:
    assert between(one, other) == []


BROKEN_LIMITS = [
    (
        "The investment of Zentra in the Osaka plant is capped at 400 million yen.",
        "Zentra expects an investment of 480 million yen in the Osaka plant.",
    ),
    ("Zentra's output in 2026 must be at least 500 tonnes.", "Zentra's output in 2026 will be 420 tonnes."),
    ("大阪工場への投資額は上限を4億円とする。", "大阪工場への投資額は4億8,000万円を見込む。"),
    ("大阪工場への投資額は上限を4億円とする。", "大阪工場への投資額は4億3,000万円を見込む。"),
]


@pytest.mark.parametrize(("limit", "plan"), BROKEN_LIMITS)
def test_a_plan_beyond_a_limit(limit: str, plan: str) -> None:
    (found,) = between(limit, plan)
    assert "limit" in found.note.en and "限度" in found.note.ja


GONE_ON_FROM = [
    "大阪工場の開設は2024年10月に延期する。\n投資額は累計で2億円を支出し、完成時の見込みは4億3,000万円となった。",
    "大阪工場の開設は延期する。採用は遅れている。\n投資額は、完成時の見込みが4億3,000万円となった。",
]


@pytest.mark.parametrize("plan", GONE_ON_FROM)
def test_a_figure_whose_subject_and_topic_stand_before_it(plan: str) -> None:
    (found,) = between("大阪工場への投資額は上限を4億円とする。", plan)
    assert [side.value for side in found.sides] == ["4億円", "4億3,000万円"]


def test_a_sentence_that_names_something_goes_on_from_nothing() -> None:
    other = "大阪工場の開設は2024年10月に延期する。\n名古屋工場への投資額は4億3,000万円となる見込みである。"
    assert between("大阪工場への投資額は上限を4億円とする。", other) == []


def test_a_sentence_under_another_heading_goes_on_from_nothing() -> None:
    other = "# 大阪工場\n\n開設は延期する。\n\n# その他\n\n投資額は4億3,000万円となる見込みである。"
    assert between("大阪工場への投資額は上限を4億円とする。", other) == []


KEPT_LIMITS = [
    (
        "The investment of Zentra in the Osaka plant is capped at 400 million yen.",
        "Zentra expects an investment of 380 million yen in the Osaka plant.",
    ),
    ("Zentra's output in 2026 must be at least 500 tonnes.", "Zentra's output in 2026 will be 620 tonnes."),
    ("Zentra's output in 2026 must be at least 500 tonnes.", "Zentra's output in 2026 must be at most 620 tonnes."),
    ("Zentra's debt in 2024 was limited to 500 million yen.", "Zentra's debt in 2024 was 620 million yen."),
    ("大阪工場への投資額は上限を3億9,000万円とする。", "大阪工場への投資額は4億円を見込む。"),
    ("大阪工場への投資額は上限を約4億円とする。", "大阪工場への投資額は4億3,000万円を見込む。"),
]


@pytest.mark.parametrize(("limit", "other"), KEPT_LIMITS)
def test_what_a_limit_does_not_exclude(limit: str, other: str) -> None:
    assert between(limit, other) == []


def test_figures_without_a_period_are_compared_only_if_the_pages_are_of_about_the_same_time() -> None:
    one, other = "Acme Corp employs 12,000 people in Poland.", "Acme Corp employs 15,500 people in Poland."
    assert between(one, other, ("2023-05", "2024-02"))
    assert not between(one, other, ("2019", "2024-02"))


def test_of_a_list_only_the_item_that_differs_is_quoted() -> None:
    listed = "- 食堂は改装する。\n- ハノイの拠点の投資額は4億円とする。\n- 採用は8名とする。"
    (found,) = between(listed, "ハノイの拠点の投資額は5億円とする。")
    assert [side.quote for side in found.sides] == [
        "ハノイの拠点の投資額は4億円とする。",
        "ハノイの拠点の投資額は5億円とする。",
    ]


def test_one_source_does_not_contradict_itself() -> None:
    text = "Japan's unemployment rate was 2.5% in March 2024.\nJapan's unemployment rate was 2.7% in March 2024.\n"
    assert found_in(ledger_of({"only": Document(text, "Report")})) == ()


def test_several_sources_on_one_thing_are_one_contradiction() -> None:
    values = ("2.5%", "2.7%", "3.1%")
    documents = {
        f"page{index}": Document(f"Japan's unemployment rate was {value} in March 2024.", "Report", f"202{6 - index}")
        for index, value in enumerate(values)
    }
    (found,) = found_in(ledger_of(documents))
    assert [side.value for side in found.sides] == ["3.1%", "2.7%", "2.5%"]
    assert [side.published for side in found.sides] == ["2024", "2025", "2026"]


@pytest.fixture(scope="module")
def house() -> tuple[Contradiction, ...]:
    with resources.as_file(resources.files("research.samples").joinpath("house")) as folder:
        files = [path for path in sorted(Path(folder).rglob("*.*")) if path.name != "README.md"]
        return found_in(ledger_of({path.stem: read(path, path.read_bytes()) for path in files}))


def test_the_house_documents_disagree_where_they_are_meant_to_and_nowhere_else(
    house: tuple[Contradiction, ...],
) -> None:
    values = {tuple(side.value for side in found.sides) for found in house}
    assert values == {
        ("24億円", "20億円"),
        ("8億円", "6億5,000万円"),
        ("4億8,000万円", "4億円", "4億3,000万円"),
        ("32%", "27%"),
        ("51,000 kWh a year", "43,000kWh"),
        ("900万円", "12 million yen"),
        ("2026年4月", "2026年10月"),
    }


def test_a_source_that_replaces_the_value_of_another_says_so(house: tuple[Contradiction, ...]) -> None:
    replaced = {found.sides[0].value for found in house if "replaces" in found.note.en}
    assert replaced == {"24億円", "2026年4月"}


@pytest.fixture(scope="module")
def countries() -> dict[str, Document]:
    entries = dict(_entries())
    documents = {}
    for code in ("ja", "vm", "gm", "us"):
        name = country_name(code, entries[code])
        for chapter in ("Economy", "Energy"):
            fields = entries[code][chapter]
            assert isinstance(fields, dict)
            page = country_page(name, chapter, fields, "2025")
            documents[f"{code}-{chapter.lower()}"] = Document(page, f"{name} — {chapter}", "2025")
    return documents


def test_pages_on_countries_do_not_contradict_each_other(countries: dict[str, Document]) -> None:
    assert found_in(ledger_of(countries)) == ()


def test_a_figure_altered_in_a_copy_is_found_and_nothing_else(countries: dict[str, Document]) -> None:
    page = countries["ja-economy"].text
    altered = page.replace("Imports 2023: $", "Imports 2023: $1")
    assert altered != page
    documents = {**countries, "copy": Document(altered, countries["ja-economy"].title, "2025")}
    (found,) = found_in(ledger_of(documents))
    assert all("Imports 2023" in side.quote for side in found.sides)
