"""A question taken apart, and the labelled values of a page."""

import pytest

from research.text import Operation, question_parts, values_of


@pytest.mark.parametrize(
    ("question", "names", "attributes", "operation"),
    [
        (
            "Compare inflation and unemployment in Sweden, Denmark and Finland in 2024.",
            ["Sweden", "Denmark", "Finland"],
            ("inflation", "unemployment"),
            Operation.COMPARE,
        ),
        ("How did Vietnam's exports change from 2022 to 2024?", ["Vietnam"], ("exports",), Operation.CHANGE),
        ("Tell me about the electricity supply of Iceland.", ["Iceland"], ("electricity supply",), Operation.OPEN),
        (
            "ベトナムとタイの人口、2024年のインフレ率、インターネット利用率を比べてください。",
            ["Vietnam", "Thailand"],
            ("人口", "インフレ率", "インターネット利用率"),
            Operation.COMPARE,
        ),
        (
            "ドイツの発電に占める風力の割合はどれくらいですか。",
            ["Germany"],
            ("発電に占める風力の割合",),
            Operation.LOOK_UP,
        ),
    ],
)
def test_a_question_is_taken_apart(
    question: str, names: list[str], attributes: tuple[str, ...], operation: Operation
) -> None:
    found = question_parts(question)
    assert [name.en for name in found.names] == names
    assert (found.attributes, found.operation) == (attributes, operation)


def test_months_and_fiscal_years_of_a_question() -> None:
    assert question_parts("What was sold from April 2025 to March 2026?").span == ("2025-04", "2026-03")
    assert question_parts("2025年度の売上高は？").span == ("2025-04", "2026-03")


def test_lines_rows_and_tables_hold_values_at_their_place() -> None:
    text = (
        "---\ndate: 2025\n---\n"
        "Japan – Public debt 2022: 215.9% of GDP (2022 est.)\n"
        "month: 2024-04; country: Vietnam; units: 21\n\n"
        "|  |  | 2024 |  | Change | 2023 |  |\n|---|---|---|---|---|---|---|\n"
        "| iPhone | $ | 201,183 |  | (2) | $ | 205,489 |\n\n"
        "We met for a reason: nobody had said 3 words.\n"
    )
    found = [(one.subject, one.label, one.text, one.period) for one in values_of(text)]
    assert found[:2] == [
        ("Japan", "Public debt", "215.9% of GDP (2022 est.)", "2022"),
        ("Vietnam", "units", "21", "2024-04"),
    ]
    assert ("iPhone", "iPhone", "201,183", "2024") in found
    assert ("iPhone", "iPhone: Change", "(2)", "") in found
    assert not any("reason" in label for _, label, _, _ in found)
    assert all(text[one.start : one.end].strip() for one in values_of(text))
