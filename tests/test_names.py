import pytest

from research.text import (
    asked_concepts,
    compared_in,
    content_words,
    countries_in,
    folded,
    names_in,
    places_in,
    regions_in,
    tokens,
)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("How do Vietnam and Indonesia compare as export markets?", ["Vietnam", "Indonesia"]),
        ("インドとインドネシアのGDPを比較", ["India", "Indonesia"]),
        ("Compare Japan, Korea and North Korea", ["Japan", "South Korea", "North Korea"]),
        ("Does the US trade with South Korea or South Africa?", ["United States", "South Korea", "South Africa"]),
        ("Compare Toyota, Honda and Nissan", ["Toyota", "Honda", "Nissan"]),
        ("トヨタとホンダの違いは？", ["トヨタ", "ホンダ"]),
        ("株式会社青空食品の戦略", ["青空食品"]),
        ("人口と生産性の比較", []),
        ("トヨタ自動車の業績は？", ["トヨタ自動車"]),
        ("電気自動車とハイブリッド自動車の普及は？", []),
        ("花王との面談の前に知っておくべきことは何か。", ["花王"]),
        ("KDDIとの商談の前に知っておくべきことは何か。", ["KDDI"]),
        ("取引先との会議の前に何を調べるか。", []),
        ("What is a jersey made of?", []),
        ("Market size of pumps in Europe", []),
        ("Sales of Zentra Steel", ["Zentra Steel"]),
        ("Electricity Prices In Germany And France", ["Germany", "France"]),
        ("Renewable Energy And Electricity Consumption", []),
        ("Field Test Results of the AN-300 Pump", []),
        ("What Are The Exports And Imports Of Japan?", ["Japan"]),
        ("Sales Targets Of Asanagi Pump Industries In South-East Asia", ["Asanagi Pump Industries"]),
        ("Strategy of Asanagi Pump Industries", ["Asanagi Pump Industries"]),
        ("Grundfos or Xylem", ["Xylem"]),
        ("デザインの流行とタイミング", []),
        ("ベトナムオフィスの家賃", ["Vietnam"]),
        ("KestrelとMerlin Pumpsの売上高を比較して", ["Kestrel", "Merlin Pumps"]),
        ("Société Généraleの純利益は？", ["Société Générale"]),
        ("Webサイトの作り方は？", []),
        ("What did the Vietnamese distributor complain about?", ["Vietnam"]),
        ("How large are Swiss, Dutch and Nigerian exports?", ["Switzerland", "Netherlands", "Nigeria"]),
        ("Who speaks French, and where is German spoken?", ["French", "German"]),
        ("The Roman Empire and its Martin houses", ["Roman Empire", "Martin"]),
        ("A社の強みは？", []),
    ],
)
def test_names_in_a_question(question: str, names: list[str]) -> None:
    assert [name.en for name in names_in(question)] == names


def test_a_name_inside_a_longer_name_does_not_count() -> None:
    india = names_in("India")[0]
    assert india.stands_in(folded("インドの輸出"))
    assert not india.stands_in(folded("インドネシアの輸出"))
    assert not names_in("Niger is dry")[0].stands_in(folded("Nigeria"))


def test_one_company_is_the_subject_and_two_are_compared() -> None:
    assert compared_in("What does Aozora Foods plan?") == ()
    assert len(compared_in("Compare Aozora Foods with Midori Foods")) == 2
    assert [name.en for name in compared_in("Should Aozora Foods go to Vietnam?")] == ["Vietnam"]


def test_parts_of_the_world_are_no_countries() -> None:
    assert [area.ja for area in regions_in("South-East Asia")] == ["東南アジア"]
    assert places_in("South-East Asia") == ()


def test_content_words_are_what_a_text_is_about() -> None:
    assert content_words("What are the key facts about the export markets?") == ["facts", "export", "markets"]
    assert content_words("ベトナムの人口と経済成長について教えてください。") == ["ベトナム", "人口", "経済成長"]
    assert content_words("AN-300のサービス拠点の状況") == ["an-300", "サービス", "拠点"]


def test_tokens_fold_plurals_width_and_case() -> None:
    assert tokens("Exports, Countries and ＧＤＰ's") == ["export", "country", "and", "gdp"]
    assert tokens("経済成長") == ["経済", "済成", "成長"]


def test_concepts_meet_across_languages() -> None:
    population = asked_concepts("ベトナムの人口は？")[0]
    assert population.match(set(tokens("Population, total: 106,688,169"))) > 0.9
    assert population.match(set(tokens("Exports 2024: $429 billion"))) == 0


@pytest.mark.parametrize(
    ("text", "countries"),
    [
        ("Customers in Hanoi complain about spare parts.", ["Vietnam"]),
        ("出張報告（ハノイ）", ["Vietnam"]),
        ("ミュンヘンと大阪の拠点", ["Germany", "Japan"]),
        ("A hotel in Jakarta, Indonesia", ["Indonesia"]),
        ("Saint Petersburg", ["Russia"]),
        ("The Paris Agreement, the Vienna Convention and Basel III", []),
        ("パリ協定とローマ字", []),
        ("The regina of the resolute phoenix", []),
    ],
)
def test_a_city_stands_for_its_country(text: str, countries: list[str]) -> None:
    assert [place.en for place in countries_in(text)] == countries
    assert all(place.stands_in(folded(text)) for place in countries_in(text))


def test_a_question_about_a_city_asks_for_the_city_and_not_for_its_country() -> None:
    assert places_in("What do customers in Hanoi want?") == ()
    assert [name.ja for name in compared_in("大阪と名古屋の工場を比較")] == ["大阪", "名古屋"]
