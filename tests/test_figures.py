"""Figures are read, not matched: numbers, units, currencies, multipliers, signs, bounds and ranges."""

import math

import pytest

from research.quantities import Figure, figures

Read = tuple[float, str | None]


def read(text: str) -> list[Read]:
    return [(figure.value, figure.currency or figure.unit) for figure in figures(text)]


def one(text: str) -> Figure:
    found = figures(text)
    assert len(found) == 1, found
    return found[0]


PLAIN: list[tuple[str, float, str | None]] = [
    ("Output was 1,234.5 in all.", 1234.5, None),
    ("Output was 1234.5 in all.", 1234.5, None),
    ("Output was 0.05 in all.", 0.05, None),
    ("a total of 1\u202f234\u202f567 items", 1234567, None),
    ("a total of 12,34,567 items", 1234567, None),
    ("un taux de 12,5 %", 12.5, "%"),
    ("rose 12%", 12, "%"),
    ("rose 12 percent", 12, "%"),
    ("rose 12 per cent", 12, "%"),
    ("rose 12 pct", 12, "%"),
    ("rose 12 percentage points", 12, "pp"),
    ("rose 1.5 pp", 1.5, "pp"),
    ("rose 1.5 p.p.", 1.5, "pp"),
    ("rose 3% points", 3, "pp"),
    ("cut by 25 bps", 25, "bps"),
    ("cut by 25 basis points", 25, "bps"),
    ("rose 3 points", 3, "points"),
    ("0.5‰ of all", 0.5, "‰"),
    ("$1.2bn in sales", 1.2e9, "USD"),
    ("US$1.2 billion in sales", 1.2e9, "USD"),
    ("1.2 billion dollars in sales", 1.2e9, "USD"),
    ("1.2 billion US dollars in sales", 1.2e9, "USD"),
    ("1.2 billion U.S. dollars in sales", 1.2e9, "USD"),
    ("USD 1.2bn in sales", 1.2e9, "USD"),
    ("USD1.2bn in sales", 1.2e9, "USD"),
    ("1.2bn USD in sales", 1.2e9, "USD"),
    ("€3m in sales", 3e6, "EUR"),
    ("3m euros in sales", 3e6, "EUR"),
    ("£40k in sales", 4e4, "GBP"),
    ("a dividend of 12.5 pence", 0.125, "GBP"),
    ("a dividend of 12.5p a share", 0.125, "GBP"),
    ("a fare of 50 cents", 0.5, None),
    ("50セントの運賃", 0.5, None),
    ("¥1,234 million in sales", 1.234e9, "JPY"),
    ("HK$5 billion in sales", 5e9, "HKD"),
    ("A$5 billion in sales", 5e9, "AUD"),
    ("NT$5 billion in sales", 5e9, "TWD"),
    ("R$5 billion in sales", 5e9, "BRL"),
    ("RMB 300 million in sales", 3e8, "CNY"),
    ("Rs 5 crore in sales", 5e7, "INR"),
    ("₹5 lakh in sales", 5e5, "INR"),
    ("5 million yen in sales", 5e6, "JPY"),
    ("5 million yuan in sales", 5e6, "CNY"),
    ("$2 trillion of debt", 2e12, "USD"),
    ("a $250 fee", 250, "USD"),
    ("a fall of -$5m", -5e6, "USD"),
    ("a fall of $-5m", -5e6, "USD"),
    ("some 4.2 million people", 4.2e6, "people"),
    ("two million people", 2e6, "people"),
    ("twenty-five percent of it", 25, "%"),
    ("two hundred million dollars", 2e8, "USD"),
    ("three factories", 3, "sites"),
    ("three new factories", 3, "sites"),
    ("Twelve countries signed.", 12, "countries"),
    ("five years later", 5, "years"),
    ("12m tonnes of steel", 1.2e7, "t"),
    ("a 100m race", 100, "m"),
    ("10M users", 1e7, "people"),
    ("3.5 million metric tons", 3.5e6, "t"),
    ("350 kt of methane", 350, "kt"),
    ("377,915 sq km of land", 377915, "km²"),
    ("377,915 square kilometres of land", 377915, "km²"),
    ("377,915 km² of land", 377915, "km²"),
    ("377,915 km2 of land", 377915, "km²"),
    ("a 29,751 km coast", 29751, "km"),
    ("a 29,751-km coast", 29751, "km"),
    ("500 hectares", 500, "ha"),
    ("85 billion cubic meters", 8.5e10, "m³"),
    ("902.8 billion kWh used", 9.028e11, "kWh"),
    ("12.63GW of capacity", 12.63, "GW"),
    ("12 MW plant", 12, "MW"),
    ("8,000 bbl/day", 8000, "bbl/day"),
    ("129 million Btu/person", 1.29e8, "Btu/person"),
    ("12.3 deaths/1,000 population", 12.3, "deaths/1000"),
    ("100 people per sq km", 100, "people/km²"),
    ("60 km/h limit", 60, "km/h"),
    ("at 20°C", 20, "°C"),
    ("at 20 degrees Celsius", 20, "°C"),
    ("at -4 m", -4, "m"),
    ("a 12-month plan", 12, "months"),
    ("grew 3x", 3, "x"),
    ("a 3-fold rise", 3, "x"),
    ("grew 3 times", 3, "x"),
    ("minus 5 percent", -5, "%"),
    ("fell by −2.5%", -2.5, "%"),
    ("a change of +3%", 3, "%"),
    ("64 GB of memory", 64, "GB"),
    ("| Sales | (12.3) |", -12.3, None),
    ("Net income: (1,234)", -1234, None),
    ("sold 2024 units", 2024, "units"),
    ("more than 2000 vehicles", 2000, "vehicles"),
    ("Sales 120", 120, None),
    ("Growth: 12", 12, None),
    ("odds (CI 0.71)", 0.71, None),
    ("$2.73 trillion a year earlier", 2.73e12, "USD"),
    ("$2.15 a day", 2.15, "USD"),
    ("200 mph", 200, "mph"),
]

JAPANESE: list[tuple[str, float, str | None]] = [
    ("12パーセント増えた", 12, "%"),
    ("１２％増えた", 12, "%"),
    ("１，２３４．５トン", 1234.5, "t"),
    ("3ポイント上昇", 3, "pp"),
    ("3%ポイント上昇", 3, "pp"),
    ("3.5パーセントポイント上昇", 3.5, "pp"),
    ("3割が賛成", 30, "%"),
    ("三割が賛成", 30, "%"),
    ("3割5分が賛成", 35, "%"),
    ("2倍に増えた", 2, "x"),
    ("二倍に増えた", 2, "x"),
    ("1,234百万円", 1.234e9, "JPY"),
    ("1,234千円", 1.234e6, "JPY"),
    ("3兆4,500億円", 3.45e12, "JPY"),
    ("3.45兆円", 3.45e12, "JPY"),
    ("1億2千万円", 1.2e8, "JPY"),
    ("1億2,000万円", 1.2e8, "JPY"),
    ("1億二千万円", 1.2e8, "JPY"),
    ("五百億円", 5e10, "JPY"),
    ("一億二千万人", 1.2e8, "people"),
    ("十二社が参加", 12, "companies"),
    ("約三十社が参加", 30, "companies"),
    ("二十五か国が参加", 25, "countries"),
    ("12万3,456人", 123456, "people"),
    ("2千人が参加", 2000, "people"),
    ("1万5千人が参加", 15000, "people"),
    ("120名が参加", 120, "people"),
    ("25社が参加", 25, "companies"),
    ("30件の事故", 30, "cases"),
    ("1,200店舗を展開", 1200, "shops"),
    ("23カ国に進出", 23, "countries"),
    ("23ヶ国に進出", 23, "countries"),
    ("45か所の拠点", 45, "sites"),
    ("500台を販売", 500, "units"),
    ("377,915平方キロの国土", 377915, "km²"),
    ("377,915平方キロメートルの国土", 377915, "km²"),
    ("50ヘクタールの農地", 50, "ha"),
    ("3万キロワットの発電所", 3e4, "kW"),
    ("12.6GWの発電容量", 12.6, "GW"),
    ("1億キロワット時の電力", 1e8, "kWh"),
    ("100㎡の部屋", 100, "m²"),
    ("50㎞の道", 50, "km"),
    ("気温は35℃", 35, "°C"),
    ("15億ドルの投資", 1.5e9, "USD"),
    ("15億米ドルの投資", 1.5e9, "USD"),
    ("15億ユーロの投資", 1.5e9, "EUR"),
    ("15億元の投資", 1.5e9, "CNY"),
    ("15億香港ドルの投資", 1.5e9, "HKD"),
    ("15億ウォンの投資", 1.5e9, "KRW"),
    ("¥1,234の切手", 1234, "JPY"),
    ("営業利益は△12.5%", -12.5, "%"),
    ("営業利益は▲12億円", -1.2e9, "JPY"),
    ("営業利益は△ 3.4%", -3.4, "%"),
    ("伸び率はマイナス5%", -5, "%"),
    ("5年連続で増加", 5, "years"),
    ("3か月で完成", 3, "months"),
    ("3ヶ月で完成", 3, "months"),
    ("90日間有効", 90, "days"),
    ("24時間営業", 24, "h"),
    ("世界3位の規模", 3, "rank"),
    ("65歳以上", 65, "years"),
    ("OECD38カ国が参加", 38, "countries"),
    ("気温は氷点下5度", -5, "°"),
    ("1ドル=150円台", 150, "JPY"),
    ("5回実施した", 5, "times"),
    ("売上高（百万円）：1,234", 1.234e9, "JPY"),
    ("人口（千人）：1,234", 1.234e6, "people"),
]


@pytest.mark.parametrize(("text", "value", "measure"), [*PLAIN, *JAPANESE])
def test_figure_is_read(text: str, value: float, measure: str | None) -> None:
    figure = one(text)
    assert (figure.currency or figure.unit) == measure
    assert math.isclose(figure.value, value, rel_tol=1e-12)
    assert text[figure.start : figure.end] == figure.text


NONE = [
    "COVID-19 and the G7", "5G, 4G and 3D", "on A4 paper", "certified to ISO 9001", "a Boeing 737 landed",
    "the Apollo 11 landing", "Windows 11", "see Section 4.2 and Article 5", "see Table 3, page 12",
    "see Figure 2.1", "Article 27-2 and pages 12–15", "an increase over 2023", "the Industry 4.0 wave",
    "as shown before [3]", "as shown [1, 2, 7-9]", "1. First\n2. Second\n(3) Third", "4) Fourth", "# 2.1 Results",
    "version 1.2.3", "v2.0 is out", "at 192.168.0.1", "https://example.org/2024/12?page=3",
    "www.example.org/a/100%", "at 10:30 and 23:59:59", "at 10 a.m. or 5pm", "call 03-1234-5678",
    "call +81 3 1234 5678", "call (555) 123-4567", "on March 31 and 4 May", "in 2024 and since 1999",
    "the 21st century", "a 1920x1080 screen", "open 24/7", "1/3 of all", "agent 007", "Form 10-K",
    "item #5, No. 7", "one of the two sides", "one day someone noticed", "a score of 3:1", "36 00 N, 138 00 E",
    "Washington DC 20521-4530", "550e8400-e29b-41d4-a716-44665544abcd", "第3条第2項", "第三者の意見と第1回会合",
    "午前10時30分に開始", "3月31日に発表", "3月に発表", "15日に発表", "令和6年4月1日施行", "二〇二四年に発表",
    "図3と表2を参照", "表1-2を参照", "ボーイング737型機", "三菱と三井住友と千葉", "一部は統一され、唯一の方法",
    "一人ひとりが第一に", "数十億円と数千人", "3分の1を占める", "21世紀", "※1 注2", "〒100-0001",
    "万一に備える十分な準備", "(百万円)", "𝟙 ② ⅔ ¹²", "1️⃣ 2️⃣",
]  # fmt: skip


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_figure(text: str) -> None:
    assert figures(text) == []


RANGES: list[tuple[str, list[Read]]] = [
    ("10–15%", [(10, "%"), (15, "%")]),
    ("10-15%", [(10, "%"), (15, "%")]),
    ("10%-15%", [(10, "%"), (15, "%")]),
    ("10 to 15 percent", [(10, "%"), (15, "%")]),
    ("between 10 and 15 percent", [(10, "%"), (15, "%")]),
    ("10〜15%", [(10, "%"), (15, "%")]),
    ("１０～１５％", [(10, "%"), (15, "%")]),
    ("10から15%", [(10, "%"), (15, "%")]),
    ("$1.2-1.5 billion", [(1.2e9, "USD"), (1.5e9, "USD")]),
    ("$10m-$12m", [(1e7, "USD"), (1.2e7, "USD")]),
    ("500 to 1,200 km", [(500, "km"), (1200, "km")]),
    ("5km-10km", [(5, "km"), (10, "km")]),
    ("10〜15億円", [(1e9, "JPY"), (1.5e9, "JPY")]),
    ("2〜3割", [(20, "%"), (30, "%")]),
    ("18- to 24-year-olds", [(18, "years"), (24, "years")]),
    ("1億〜2億円", [(1e8, "JPY"), (2e8, "JPY")]),
    ("900 to 1 million people", [(900, "people"), (1e6, "people")]),
    ("12 and 15 percent", [(12, None), (15, "%")]),
]


@pytest.mark.parametrize(("text", "expected"), RANGES)
def test_both_ends_of_a_range(text: str, expected: list[Read]) -> None:
    assert read(text) == expected


BOUNDS = [
    ("about 4,000 people", "about"),
    ("nearly 4,000 people", "about"),
    ("~4,000 people", "about"),
    ("more than 4,000 people", "over"),
    ("less than 4,000 people", "under"),
    ("no less than 4,000 people", "at least"),
    ("at least 4,000 people", "at least"),
    ("no more than 4,000 people", "at most"),
    ("up to 4,000 people", "at most"),
    ("4,000 people or more", "at least"),
    ("約4,000人", "about"),
    ("4,000人程度", "about"),
    ("4,000人以上", "at least"),
    ("4,000人以下", "at most"),
    ("4,000人未満", "under"),
    ("4,000人超", "over"),
    ("4,000人強化", None),
    ("exactly 4,000 people", None),
    ("the annex has 4,000 people", None),
]


@pytest.mark.parametrize(("text", "bound"), BOUNDS)
def test_words_that_loosen_a_figure(text: str, bound: str | None) -> None:
    figure = one(text)
    assert figure.bound == bound


@pytest.mark.parametrize(
    ("text", "scale", "tolerance"),
    [
        ("1,234", 1, 0.5),
        ("12.5%", 1, 0.05),
        ("$1.2bn", 1e9, 5e7),
        ("3兆4,500億円", 1e8, 5e7),
        ("3.45兆円", 1e12, 5e9),
        ("12万3,456人", 1, 0.5),
        ("1億2千万円", 1e7, 5e6),
        ("1,234百万円", 1e6, 5e5),
        ("十社が", 1, 0.5),
        ("two million people", 1e6, 5e5),
    ],
)
def test_precision_is_the_one_printed(text: str, scale: float, tolerance: float) -> None:
    figure = one(text)
    assert (figure.scale, pytest.approx(figure.tolerance)) == (scale, tolerance)


SAME = [
    ("1,234.5", "1234.5"),
    ("12%", "12パーセント"),
    ("12%", "12.4%"),
    ("$1.2bn", "1.2 billion dollars"),
    ("$1.2bn", "$1,234 million"),
    ("3兆4,500億円", "3.45兆円"),
    ("3割", "30%"),
    ("1,234千トン", "1.234 million tonnes"),
    ("1.5 km", "1,500 m"),
    ("25 bps", "0.25 percentage points"),
    ("2 years", "24か月"),
    ("100 ha", "1 sq km"),
    ("3 factories", "3拠点"),
    ("120 vehicles", "120台"),
    ("about 4,000 people", "3,987 people"),
    ("over 4,000 people", "4,012人"),
    ("1,234", "1,234 people"),
    ("1,234", "$1,234"),
    ("12%", "12"),
    ("△25.3%", "-25.3%"),
]
DIFFERENT = [
    ("12%", "13%"),
    ("12%", "12 percentage points"),
    ("12%", "-12%"),
    ("$1.2bn", "€1.2bn"),
    ("$1.2bn", "$1.2m"),
    ("$12", "12%"),
    ("12 km", "12 miles"),
    ("12 people", "12 companies"),
    ("3兆4,500億円", "3兆4,600億円"),
    ("$5 per month", "$5 per year"),
    ("about 4,000 people", "4,500 people"),
    ("at least 4,000 people", "4,012 people"),
    ("20°C", "20°F"),
]


@pytest.mark.parametrize(("one_text", "other_text"), SAME)
def test_same_quantity(one_text: str, other_text: str) -> None:
    first, second = one(one_text), one(other_text)
    assert first.agrees(second)
    assert second.agrees(first)


@pytest.mark.parametrize(("one_text", "other_text"), DIFFERENT)
def test_different_quantity(one_text: str, other_text: str) -> None:
    first, second = one(one_text), one(other_text)
    assert not first.agrees(second)
    assert not second.agrees(first)


def test_sign_may_be_left_to_words() -> None:
    assert one("△3.2%").agrees(one("3.2%"), ignore_sign=True)


def test_digits_without_their_multiplier() -> None:
    in_table, in_prose = one("| Sales | 1,234 |"), one("¥1,234 million")
    assert in_table.same_digits(in_prose)
    assert not in_table.agrees(in_prose)


def test_units_in_labels_and_heads_of_a_table() -> None:
    table = (
        "| | 2023 | 2024 |\n|---|---|---|\n| Sales (¥ million) | 1,234 | 1,345 |\n| Staff | 12 | 14 |\n"
        "| Margin | 4.5% | (1.2)% |\n"
    )
    found = [(f.value, f.currency or f.unit, f.period) for f in figures(table)]
    assert found[:4] == [
        (1.234e9, "JPY", "2023"),
        (1.345e9, "JPY", "2024"),
        (12, None, "2023"),
        (14, None, "2024"),
    ]
    columns = "| 年度 | 売上高（百万円） | 従業員（人） |\n|---|---|---|\n| 2024年度 | 1,234 | 56 |\n"
    assert [(f.value, f.currency or f.unit, f.period) for f in figures(columns)] == [
        (1.234e9, "JPY", "FY2024"),
        (56, "people", "FY2024"),
    ]
    captioned = "（単位：百万円）\n| 項目 | 2024年 |\n|---|---|\n| 売上高 | 1,234 |\n"
    assert [(f.value, f.currency, f.period) for f in figures("決算\n" + captioned)] == [(1.234e9, "JPY", "2024")]


@pytest.mark.parametrize(
    ("caption", "shares"),
    [
        ("(In millions, except per-share data)", 7.4e9),
        ("(In millions, except share and per share amounts)", 7_400),
        ("(in millions; except number of shares, which are reflected in thousands, and per share amounts)", 7_400),
        ("（単位：百万、ただし株式数を除く）", 7_400),
    ],
)
@pytest.mark.parametrize("place", ["{}\n", "{}\n\n", "\n| {} "])
def test_what_a_caption_excepts_is_in_no_millions(caption: str, place: str, shares: float) -> None:
    above = "Income statement\n" + place.format(caption)
    head = "" if above.endswith(" ") else "| Item "
    table = "| 2023 |\n|---|---|\n| Revenue | $2,000 |\n| Weighted shares | 7,400 |\n| Earnings per share | $6.16 |\n"
    assert [one.value for one in figures(f"{above}{head}{table}")] == [2e9, shares, 6.16]


def test_money_in_a_table_of_millions_is_in_millions() -> None:
    table = (
        "Kitano\nIncome statement (In millions)\n| Item | 2023 | 2022 |\n|---|---|---|\n| Revenue | $2,000 | 1,600 |\n"
        "| Loss | ($50) | ¥30 |\n| Earnings per share | $6.16 | 6.13 |\n| Margin | 12% | $1.2 billion |\n"
    )
    found = [(figure.value, figure.currency or figure.unit, figure.text) for figure in figures(table)]
    assert found == [
        (2e9, "USD", "$2,000"),
        (1.6e9, None, "1,600"),
        (-5e7, "USD", "($50)"),
        (3e7, "JPY", "¥30"),
        (6.16, "USD", "$6.16"),
        (6.13, None, "6.13"),
        (12, "%", "12%"),
        (1.2e9, "USD", "$1.2 billion"),
    ]
    assert [
        figure.value for figure in figures("| (US$ million) | 2023 |\n|---|---|\n| Sales | $5 | \n| Yen | ¥5 |")
    ] == [5e6, 5]


def test_unit_at_the_end_of_a_snake_case_label() -> None:
    found = figures("month: 2024-04; country: Vietnam; units: 21; revenue_million_yen: 23.8")
    assert [(f.value, f.currency, f.period) for f in found] == [(21, None, "2024-04"), (2.38e7, "JPY", "2024-04")]


def test_offsets_where_characters_are_invisible_or_wide() -> None:
    text = "😀 売上は１，２３４\u200b億円、\ufeff利益は1\u200b2%だった"
    found = figures(text)
    assert [(f.value, f.text) for f in found] == [(1.234e11, "１，２３４\u200b億円"), (12, "1\u200b2%")]
    assert all(text[f.start : f.end] == f.text for f in found)


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("It paid 500 Danish krone.", "DKK"),
        ("予算は50マレーシアリンギットである。", "MYR"),
        ("It cost U.S.$5m.", "USD"),
        ("Sales of 30 million pesos", None),
        ("Won 300 tonnes", None),
    ],
)
def test_a_currency_is_known_by_its_official_names(text: str, currency: str | None) -> None:
    assert [figure.currency for figure in figures(text)] == [currency]
