"""The tab of figures of a run that has ended, as the script draws it, without a browser."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.engine import engine
from research.language import Language
from tests.support import sample_runs
from tests.support.without_browser import script

SALES = "sales in Vietnam (JPY) · 5 values"


@pytest.fixture
def figures(app: AppTest) -> AppTest:
    """The figures of a run whose two sources give one quantity."""
    app.run()
    run = sample_runs.sales(engine().store, Language.EN)
    app.query_params["id"] = run
    app.session_state[f"tabs_{run}_en"] = "Figures"
    return app.switch_page("pages/run.py").run()


def first_row(figures: AppTest) -> tuple[str, str]:
    """Period and unit of the first row of the table."""
    table = figures.dataframe[0].value
    return table["period"][0], table["unit"][0]


def test_the_table_says_periods_and_units_in_the_words_of_the_reader(figures: AppTest) -> None:
    assert list(figures.dataframe[0].value.columns)[:5] == ["label", "text", "period", "value", "unit"]
    assert first_row(figures) == ("FY2024", "JPY")
    figures.session_state["lang"] = "ja"
    figures.run()
    assert first_row(figures) == ("2024年度", "円")


def test_another_language_leaves_the_tab_open_and_what_was_typed(figures: AppTest) -> None:
    figures.text_input(key="figure_measure").set_value("sales")
    figures.run()
    assert [option.lower() for option in figures.selectbox(key="quantity").options] == [SALES.lower()]
    chosen = figures.selectbox(key="quantity").value
    figures.session_state["lang"] = "ja"
    figures.run()
    assert figures.text_input(key="figure_measure").value == "sales"
    assert figures.selectbox(key="quantity").value == chosen
    (said,) = figures.selectbox(key="quantity").options
    assert "（円）" in said and "値 5件" in said
    assert figures.session_state["quantity_said"] == said


def test_nothing_is_drawn_of_what_the_filter_leaves_out(figures: AppTest) -> None:
    figures.text_input(key="figure_measure").set_value("nothing of the kind")
    figures.run()
    assert not figures.exception
    assert not figures.selectbox


def two_quantities() -> None:
    """Draw the chart of two quantities, of which only the second is cited."""
    from pages.parts.report.figures import show_figures_chart
    from pages.parts.ui import Ui
    from research.core import RunView
    from research.language import Language
    from research.quantities import FigureRow
    from research.verification import Point, Quantity

    found, rows = [], []
    for label, quotes in (("Imports", ("E1", "E2")), ("Exports", ("E3", "E4"))):
        points = [
            Point(period, 1.0, "1 t", "S1", quote, None) for period, quote in zip(("2024", "2025"), quotes, strict=True)
        ]
        found.append(Quantity("Japan", label, "t", None, tuple(points)))
        rows += [FigureRow("Japan", label, 1.0, "t", None, None, "1 t", "1 t", quote, "S1", None) for quote in quotes]
    show_figures_chart(found, rows, {"E3"}, RunView(), Ui.of(Language.EN, None))


def test_what_the_report_cites_comes_first() -> None:
    at = script(two_quantities).run()
    assert not at.exception
    assert [name.split(" · ")[0] for name in at.selectbox(key="quantity").options] == ["Exports (t)", "Imports (t)"]


def test_a_choice_that_is_no_longer_on_offer_gives_way_to_the_first() -> None:
    at = script(two_quantities)
    at.session_state["quantity"] = "gone"
    at.run()
    assert not at.exception
    assert str(at.selectbox(key="quantity").value).startswith("Japan\nExports")
