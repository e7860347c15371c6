"""A run as one file: what is exported comes back whole, and a file that is not what it says is refused."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from research.core import Brief, ReportVerified, SourceName, StoreError, UsageError
from research.language import Language
from research.settings import Settings
from research.store import (
    Action,
    Runner,
    RunState,
    RunStore,
    UnusableRunFile,
    Wanted,
    delete_notes,
    export_run,
    find,
    follow,
    import_run,
    label,
    latest_actions,
    load_report,
    star,
)
from research.store.transfer import LARGEST_ARCHIVE
from tests.support import sample_runs
from tests.support.service import market_reports

Parts = dict[str, bytes]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    store = RunStore(tmp_path / "one")
    yield store
    store.close()


@pytest.fixture
def other(tmp_path: Path) -> Iterator[RunStore]:
    other = RunStore(tmp_path / "other", wait_seconds=0.05)
    yield other
    other.close()


@pytest.fixture
def exported(store: RunStore) -> bytes:
    return export_run(store, sample_runs.sales(store, Language.JA))


def test_who_takes_a_run_in_is_kept_for_administrators(other: RunStore, exported: bytes) -> None:
    run = import_run(other.of_account("anna"), exported)
    assert [(one.account, one.action, one.run) for one in latest_actions(other.database)] == [
        ("anna", Action.IMPORTED, run)
    ]


def unzipped(file: bytes) -> Parts:
    with zipfile.ZipFile(io.BytesIO(file)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(parts: Parts, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return packed.getvalue()


def signed(parts: Parts) -> bytes:
    """Pack parts that are as the manifest says of them, whoever has changed them."""
    manifest = json.loads(parts["manifest.json"])
    manifest["parts"] = {name: sha256(data).hexdigest() for name, data in parts.items() if name != "manifest.json"}
    return zipped(parts | {"manifest.json": json.dumps(manifest).encode()})


def test_a_run_comes_back_as_it_was(store: RunStore, other: RunStore, tmp_path: Path) -> None:
    run = sample_runs.house(tmp_path / "one", Language.JA)
    label(store, run, title="越境の売上", tags=["営業", "ASEAN"])
    star(store, run, True)
    file = export_run(store, run)
    assert file == export_run(store, run)
    assert {"manifest.json", "run.json", "report.md", "events.jsonl", "pages.jsonl"} < set(unzipped(file))
    assert import_run(other, file) == run
    assert other.get(run) == store.get(run)
    read, own = load_report(other, run), load_report(store, run)
    kept, claimed = own.record, read.record
    bare = {"is_claimed": True, "sentences": ()}
    assert claimed.model_copy(update=bare) == kept.model_copy(update=bare)
    # What the program says of its own work is held against the pages where a file claims that it said so.
    cited = [[one for one in record.sentences if one.evidence] for record in (claimed, kept)]
    assert cited[0] == cited[1] != []
    told = [[one for one in report.history if not isinstance(one, ReportVerified)] for report in (read, own)]
    assert told[0] == told[1]
    assert read.pages == own.pages
    assert find(other, Wanted(words="越境")).total == 1


def test_it_comes_from_a_path_or_an_open_file_too(store: RunStore, other: RunStore, tmp_path: Path) -> None:
    path = tmp_path / "a.run.zip"
    path.write_bytes(export_run(store, sample_runs.sales(store, Language.EN)))
    run = import_run(other, path)
    other.delete(run)
    with path.open("rb") as open_file:
        assert import_run(other, open_file) == run
    with pytest.raises(UsageError, match="cannot be read"):
        import_run(other, tmp_path / "none.zip")


def test_a_run_that_broke_off_comes_back(store: RunStore, other: RunStore, tmp_path: Path) -> None:
    run = sample_runs.broken_off(tmp_path / "one", Language.EN)
    import_run(other, export_run(store, run))
    assert other.get(run).state is RunState.INTERRUPTED
    assert load_report(other, run).markdown == load_report(store, run).markdown


def test_a_run_carried_out_under_a_cap_for_all_by_country_comes_back(
    store: RunStore, other: RunStore, tmp_path: Path
) -> None:
    brief = Brief(question="What is the population?", countries=("Norway", "Kenya"), sources=(SourceName.LIBRARY,))
    with Runner(store, Settings(home=tmp_path / "one", max_cost_usd=0.5)) as runner:
        run = runner.start(brief, library=market_reports(tmp_path), analyst="extractive")
        done = runner.wait(run, 60).record.brief
    assert done.max_cost_usd == 0.5 and "Norway" in done.question
    file = export_run(store, run)
    assert import_run(other, file) == run
    assert other.get(run).brief == store.get(run).brief == brief
    assert load_report(other, run).record.brief == done
    other.delete(run)
    parts = unzipped(file)
    for told in ({"preset": "speed"}, {"countries": ["Kenya"]}):
        record = json.loads(parts["run.json"])
        record["brief"] |= told
        with pytest.raises(UnusableRunFile):
            import_run(other, signed(parts | {"run.json": json.dumps(record).encode()}))


def test_a_run_whose_notes_were_deleted_comes_back(store: RunStore, other: RunStore) -> None:
    run = sample_runs.sales(store, Language.EN)
    delete_notes(store, run)
    assert import_run(other, export_run(store, run)) == run


def test_a_run_under_way_is_not_exported(store: RunStore) -> None:
    with pytest.raises(UsageError, match="still running"):
        export_run(store, store.create(Brief(question="?"), "chat"))


def test_what_it_repeats_is_kept_if_it_is_there(store: RunStore, other: RunStore) -> None:
    earlier, later = sample_runs.sales(store, Language.EN), sample_runs.sales(store, Language.EN)
    follow(store, later, earlier)
    import_run(other, export_run(store, later))
    assert other.get(later).follows is None
    other.delete(later)
    import_run(other, export_run(store, earlier))
    import_run(other, export_run(store, later))
    assert other.get(later).follows == earlier


def test_a_run_that_is_there_is_never_overwritten(store: RunStore, exported: bytes) -> None:
    run = store.list()[0].id
    label(store, run, title="Mine", tags=[])
    with pytest.raises(UnusableRunFile, match="already") as refused:
        import_run(store, exported)
    assert "すでに" in refused.value.text.ja
    assert store.get(run).title == "Mine"
    assert len(store.list()) == 1


def test_a_part_that_is_not_as_its_hash_says_is_refused(exported: bytes, other: RunStore) -> None:
    parts = unzipped(exported)
    parts["report.md"] += b" "
    with pytest.raises(UnusableRunFile, match="damaged") as refused:
        import_run(other, zipped(parts))
    assert "壊れている" in refused.value.text.ja


def test_a_flipped_bit_or_a_cut_file_is_refused(exported: bytes, other: RunStore) -> None:
    for wrong in (exported[: len(exported) // 2], exported[:100] + bytes([exported[100] ^ 1]) + exported[101:]):
        with pytest.raises(UnusableRunFile):
            import_run(other, wrong)
    assert list(other.list()) == []


@pytest.mark.parametrize("file", [b"", b"nonsense", b"PK\x05\x06", zipped({}), zipped({"manifest.json": b"[" * 9_000})])
def test_what_is_no_run_file_is_said_to_be_none(file: bytes, other: RunStore) -> None:
    with pytest.raises(UnusableRunFile, match="not an exported run"):
        import_run(other, file)


def test_a_file_of_a_newer_version_says_so(exported: bytes, other: RunStore) -> None:
    parts = unzipped(exported)
    manifest = json.loads(parts["manifest.json"])
    parts["manifest.json"] = json.dumps(manifest | {"format": 2, "unheard_of": True}).encode()
    with pytest.raises(UnusableRunFile, match="newer version") as refused:
        import_run(other, zipped(parts))
    assert "新しい版" in refused.value.text.ja


def test_a_bomb_is_refused_whatever_its_headers_claim(other: RunStore) -> None:
    bomb = zipped({"report.md": bytes(LARGEST_ARCHIVE + 1)})
    assert len(bomb) < 2**20
    with pytest.raises(UnusableRunFile, match="too large"):
        import_run(other, bomb)
    many = zipped({f"{number:0100}": b"" for number in range(60_000)}, zipfile.ZIP_STORED)
    with pytest.raises(UnusableRunFile, match="too large"):
        import_run(other, many)


def test_words_of_the_file_are_kept_as_the_user_could_have_typed_them(exported: bytes, other: RunStore) -> None:
    parts = unzipped(exported)
    manifest = json.loads(parts["manifest.json"]) | {"title": " a\u202e\nb ", "tags": ["x" * 500, "", "#y"]}
    parts["manifest.json"] = json.dumps(manifest).encode()
    run = other.get(import_run(other, zipped(parts)))
    assert (run.title, run.tags) == ("a b", ("x" * 40, "y"))


def test_a_store_that_is_busy_takes_nothing_in(exported: bytes, other: RunStore) -> None:
    with other.database.writing(), pytest.raises(StoreError, match="another process"):
        import_run(other, exported)
    assert list(other.list()) == []
