"""An embedder of somebody else, as the how-to says: installed as a package, chosen by its name, held to ours' rules."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from research.core import EMBEDDERS
from research.meaning import EmbeddingFailed, chosen_vectors, embeds_elsewhere, may_have_own
from research.meaning.meaning import _chosen
from research.settings import Settings
from research.sources.checks import CheckOutcome, check_embeddings
from tests.support.embedding_server import vector_of
from tests.support.packages import installed
from tests.support.services import access

HOW_TO = (Path(__file__).parents[1] / "docs" / "own_embedder.md").read_text(encoding="utf-8")
(CODE, *_) = re.findall(r"```python\n(.*?)```", HOW_TO, re.DOTALL)
HERE = CODE.replace("stays_here=False", "stays_here=True").replace('name="house"', 'name="here"')
TEXTS = ["Exports of copper fell.", "The museum opens at ten."]


@pytest.fixture(autouse=True)
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    entries = {name: ("research.embedders", "HOUSE", code) for name, code in (("house", CODE), ("here", HERE))}
    with installed(tmp_path / "site", monkeypatch, EMBEDDERS, **entries):
        yield
    _chosen.cache_clear()


def settings(httpserver: HTTPServer, home: Path, model: str = "house:large") -> Settings:
    address = httpserver.url_for("").rstrip("/")
    return Settings(home=home, embedding_model=model, services=access(address, "key-12345678", to="service_embedding"))


def serve(httpserver: HTTPServer) -> None:
    def answer(request: Request) -> Response:
        asked = json.loads(request.get_data())
        assert asked["kind"] in ("query", "passage") and asked["model"] == "large"
        return Response(json.dumps({"vectors": [vector_of(text) for text in asked["texts"]]}))

    httpserver.expect_request(
        "/vectors", method="POST", headers={"Authorization": "Bearer key-12345678"}
    ).respond_with_handler(answer)


def test_it_is_chosen_by_its_name_asked_once_for_each_text_and_checked(httpserver: HTTPServer, tmp_path: Path) -> None:
    serve(httpserver)
    chosen = settings(httpserver, tmp_path / "home")
    vectors = chosen_vectors(chosen)
    assert vectors is not None and vectors.embedder.name == "house:large"
    made = vectors.passages(TEXTS, lambda call: None)
    assert made.shape == (2, 256) and abs(float((made[0] ** 2).sum()) - 1) < 1e-5
    before = len(httpserver.log)
    assert (vectors.passages(TEXTS, lambda call: None) == made).all() and len(httpserver.log) == before
    check = check_embeddings(chosen)
    assert check.outcome in (CheckOutcome.WORKS, CheckOutcome.NOTHING_TOLD) and len(httpserver.log) > before
    assert embeds_elsewhere(chosen) and not may_have_own(chosen)
    assert may_have_own(settings(httpserver, tmp_path / "home", "here:large"))


@pytest.mark.parametrize("answer", ['{"vectors": []}', '{"vectors": [["x"], [1]]}', '{"error": 1}', "no JSON"])
def test_whatever_goes_wrong_is_a_failure_as_ours_are(answer: str, httpserver: HTTPServer, tmp_path: Path) -> None:
    httpserver.expect_request("/vectors").respond_with_data(answer)
    vectors = chosen_vectors(settings(httpserver, tmp_path / "home"))
    assert vectors is not None
    with pytest.raises(EmbeddingFailed) as caught:
        vectors.queries(TEXTS, lambda call: None)
    assert caught.value.code in ("embedding_failed", "embedding_unusable")
    assert "key-12345678" not in caught.value.detail
