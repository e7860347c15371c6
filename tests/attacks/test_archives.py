"""Files of runs made to harm or to deceive: refused, or taken in with what their pages bear out."""

from __future__ import annotations

import hashlib
import io
import json
import re
import shutil
import stat
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from research.cli import main
from research.core.errors import PROBLEMS
from research.export import FORMATS
from research.export.document import Paper
from research.export.folder import load_folder
from research.export.markdown import with_follow_ups
from research.language import Language
from research.store import RunStore, UnusableRunFile, Wanted, export_run, find, import_run, load_report
from tests.support import sample_runs
from tests.support.smuggles import addresses

Parts = dict[str, bytes]
Change = Callable[[Parts], None]


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Parts:
    """The parts of a run that is as it should be."""
    store = RunStore(tmp_path_factory.mktemp("from"))
    with zipfile.ZipFile(io.BytesIO(export_run(store, sample_runs.sales(store, Language.EN)))) as archive:
        found = {name: archive.read(name) for name in archive.namelist()}
    store.close()
    return found


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    store = RunStore(tmp_path / "home")
    yield store
    store.close()


def packed(parts: Parts, links: str = "") -> bytes:
    """The archive; its manifest names the parts as they are. The part `links` says that it is a symbolic link."""
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in parts.items() if name != "manifest.json"}
    manifest = re.sub(
        rb'"parts":\s*{[^}]*}', lambda _: b'"parts": ' + json.dumps(hashes).encode(), parts["manifest.json"]
    )
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {**parts, "manifest.json": manifest}.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = ((stat.S_IFLNK if name == links else stat.S_IFREG) | 0o644) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return target.getvalue()


def put(part: str, **fields: Any) -> Change:
    """Set fields of a part that is one JSON object."""
    return lambda parts: parts.update({part: json.dumps(json.loads(parts[part]) | fields).encode()})


def swap(part: str, pattern: str, by: str, count: int = 1) -> Change:
    """Replace what a pattern finds."""

    def change(parts: Parts) -> None:
        text, found = re.subn(pattern, lambda _: by, parts[part].decode(), count=count)
        assert found, pattern
        parts[part] = text.encode("utf-8", "surrogatepass")

    return change


def every(pattern: str, by: str) -> Change:
    """Replace what a pattern finds in whatever names pages."""

    def change(parts: Parts) -> None:
        for part in ("run.json", "pages.jsonl", "events.jsonl"):
            parts[part] = re.sub(pattern, by, parts[part].decode()).encode()

    return change


def add(name: str, data: bytes = b"x") -> Change:
    return lambda parts: parts.update({name: data})


def drop(name: str) -> Change:
    return lambda parts: [parts.pop(one) for one in list(parts) if re.fullmatch(name, one)] and None


def twice(part: str, field: str) -> Change:
    """Name the first of several things twice."""

    def change(parts: Parts) -> None:
        told = json.loads(parts[part])
        told[field].append(told[field][0])
        parts[part] = json.dumps(told).encode()

    return change


def more_of_a_page(parts: Parts) -> None:
    name = next(name for name in parts if name.startswith("pages/"))
    parts[name] += b"."


_AT = r'"at":"[^"]*"'
_DEEP = "[" * 5_000 + "]" * 5_000
REFUSED: dict[str, Change] = {
    "traversal": add("../../evil.txt"),
    "traversal in pages": add("pages/../../evil.txt"),
    "backslashes": add("..\\..\\evil.txt"),
    "absolute name": add("/etc/cron.d/evil"),
    "drive": add("C:/evil.txt"),
    "line in a name": add("run.json\n"),
    "part that no run has": add("setup.py", b"import os"),
    "page of no source": add(f"pages/{'0' * 64}.txt"),
    "bomb": add("report.md", bytes(200_000_000)),
    "bomb of events": add("events.jsonl", b"\n" * 100_000_000),
    "no record": drop("run.json"),
    "no report": drop("report.md"),
    "no events": drop("events.jsonl"),
    "no pages": drop("pages.*"),
    "no text": drop("pages/.*"),
    "empty record": add("run.json", b""),
    "record of another kind": add("run.json", b"[]"),
    "year 9999": put("manifest.json", created_at="9999-12-31T23:59:59Z"),
    "year 9999 at the end": put("manifest.json", finished_at="9999-12-31T23:59:59-12:00"),
    "year 1": put("manifest.json", created_at="0001-01-01T00:00:00+14:00"),
    "year 9999 of the record": put("run.json", started_at="9999-12-31T23:59:59Z"),
    "no date of the record": put("run.json", started_at="yesterday"),
    "year 9999 of an event": swap("events.jsonl", _AT, '"at":"9999-12-31T23:59:59Z"'),
    "event without a zone": swap("events.jsonl", _AT, '"at":"2026-01-01T00:00:00"'),
    "year 9999 of a page": swap("pages.jsonl", r'"fetched_at":"[^"]*"', '"fetched_at":"9999-12-31T23:59:59Z"'),
    "no date of a page": swap("pages.jsonl", r'"published":"[^"]*"', '"published":"<script>"'),
    "NaN": swap("run.json", r'"seconds": ?[\d.]+', '"seconds": NaN'),
    "infinity": swap("run.json", r'"seconds": ?[\d.]+', '"seconds": Infinity'),
    "a number too large": swap("run.json", r'"seconds": ?[\d.]+', '"seconds": 1e300'),
    "a number of many digits": swap("run.json", r'"seconds": ?[\d.]+', f'"seconds": {"9" * 100_000}'),
    "seconds of many years": put("manifest.json", seconds=1e15),
    "seconds before the start": put("manifest.json", seconds=-1),
    "infinite seconds": swap("manifest.json", r'"seconds": ?[\d.]+', '"seconds": 1e999'),
    "deep record": swap("run.json", r'"problems": ?\[\]', f'"problems": {_DEEP}'),
    "deep event": swap("events.jsonl", r'"at":', f'"x":{_DEEP},"at":'),
    "deep manifest": swap("manifest.json", r'"title":', f'"x":{_DEEP},"title":'),
    "a user's name in an address": every(r"https?://(?=[\w-]+\.)", "https://www.bank.example@"),
    "a password in an address": every(r"https?://(?=[\w-]+\.)", "https://me:secret@"),
    "a report without end": put("run.json", draft="a\n\n" * 400_000),
    "null in a text": put("run.json", draft="Sales\x00rose."),
    "half a pair": swap("run.json", r'"draft": ?"', '"draft": "\\\\ud800'.replace("\\\\", "\\")),
    "evidence twice": twice("run.json", "evidence"),
    "source twice": twice("run.json", "sources"),
    "quote at another place": swap("run.json", r'"start": ?\d+', '"start": 1'),
    "quote before the text": swap("run.json", r'"start": ?\d+', '"start": -5'),
    "text for a number": swap("run.json", r'"start": ?\d+', '"start": "0; DROP TABLE runs"'),
    "source of another name": swap("run.json", r'"title": ?"[^"]*"', '"title": "The government"'),
    "another run": put("run.json", run="20260101-aaaaaa"),
    "a name that is a path": put("manifest.json", run="../../../etc"),
    "a field that is unknown": put("manifest.json", owner="root"),
    "a state that is unknown": put("manifest.json", state="approved"),
    "running": put("manifest.json", state="running"),
    "a newer version": put("manifest.json", format=99),
    "events out of order": swap("events.jsonl", r'"seq":2,', '"seq":1,'),
    "an event of another run": swap("events.jsonl", r'"run":"2', '"run":"3'),
    "another text of a page": more_of_a_page,
    "half a record": swap("run.json", r'"E1"', '"E1"]'),
    "a quote that says otherwise": swap("run.json", "293 million yen", "993 million yen"),
    "a run that is partial": put("manifest.json", state="partial"),
    "a run that broke off": put("manifest.json", state="interrupted"),
    "a report of other letters": add("report.md", b"\xff"),
    "pages of nobody": add("pages.jsonl", b""),
    "event of another kind": swap("events.jsonl", r'"type":"run_started"', '"type":"exec"'),
}


_ONLY_IN_ARCHIVES = {
    "another run", "source of another name", "event without a zone", "events out of order", "an event of another run",
}  # fmt: skip
"""What nothing else in a folder contradicts."""


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_and_leaves_nothing(name: str, parts: Parts, store: RunStore, tmp_path: Path) -> None:
    made = dict(parts)
    REFUSED[name](made)
    with pytest.raises(UnusableRunFile):
        import_run(store, packed(made))
    assert list(store.list()) == []
    assert [path.name for path in tmp_path.iterdir()] == ["home"]


def test_links_and_parts_that_are_there_twice_are_refused(parts: Parts, store: RunStore) -> None:
    for name in ("report.md", "run.json"):
        with pytest.raises(UnusableRunFile):
            import_run(store, packed(parts, links=name))
    doubled = io.BytesIO(packed(parts))
    with zipfile.ZipFile(doubled, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("report.md", b"another")
    with pytest.raises(UnusableRunFile):
        import_run(store, doubled.getvalue())
    assert list(store.list()) == []


def _verdicts_of(store: RunStore, run: str) -> list[str | None]:
    return [sentence.verdict for sentence in load_report(store, run).record.sentences]


def test_verdicts_are_computed_again_and_the_report_says_so(parts: Parts, store: RunStore) -> None:
    honest = import_run(store, packed(parts))
    verdicts = _verdicts_of(store, honest)
    assert set(verdicts) == {"supported", "unsupported", "uncited"}
    assert "computed again" not in load_report(store, honest).markdown
    store.delete(honest)

    forged = dict(parts)
    swap("run.json", r'"verdict": ?"un[a-z]+"', '"verdict": "supported"', count=9)(forged)
    swap("events.jsonl", r'"counts":{[^}]*}', '"counts":{"supported":3}')(forged)
    add("report.md", b"# Approved\n\nSales rose a hundredfold. <script>alert(1)</script>\n")(forged)
    run = import_run(store, packed(forged))
    report = load_report(store, run)
    assert _verdicts_of(store, run) == verdicts
    assert [problem.code for problem in report.record.problems] == ["verdicts_recomputed"]
    assert PROBLEMS["verdicts_recomputed"].en in report.markdown
    assert "hundredfold" not in report.markdown and "<script>" not in report.markdown
    counted = [event.counts for event in report.history if event.type == "report_verified"]
    assert counted == [{"verbatim": 1, "unsupported": 1, "uncited": 1}]
    assert _verdicts_of(store, run) == verdicts


def test_who_wrote_a_run_from_elsewhere_is_what_its_file_claims(
    parts: Parts, store: RunStore, tmp_path: Path, environment: dict[str, str]
) -> None:
    forged = dict(parts)
    put("run.json", writer="extractive", is_claimed=False)(forged)
    report = load_report(store, import_run(store, packed(forged)))
    shown = {"report.md": report.markdown, "html": FORMATS["html"].make(report, Paper.A4).decode()}
    folder = in_folder(forged, tmp_path / "run")
    for format_ in ("html", "md"):
        out = tmp_path / f"as.{format_}"
        assert main(["export", str(folder), "--format", format_, "--out", str(out)], environment) == 0
        shown[f"folder as {format_}"] = out.read_text("utf-8")
    for name, text in shown.items():
        (line,) = {line for line in re.split(r"[\n<>]", text) if "no model wrote any of it" in line}
        assert "which nobody checked: composed by rule" in line, name
    own_words = [one.verdict for one in report.record.sentences]
    assert own_words == ["supported", "unsupported", "uncited"], "whoever is said to have written them"


def test_what_the_program_says_of_its_own_work_counts_no_more_in_a_run_from_elsewhere(
    parts: Parts, store: RunStore
) -> None:
    said = "Quotes from sources in Japanese are shown as they stand."
    draft = json.loads(parts["run.json"])["draft"] + f"\n\n- {said}\n- {said[:-1]}, and sales rose a hundredfold."
    forged = dict(parts)
    put("run.json", writer="extractive", draft=draft)(forged)
    own, others = load_report(store, import_run(store, packed(forged))).record.sentences[-2:]
    assert (own.text, own.verdict) == (said, None)
    assert others.verdict == "uncited"


def in_folder(parts: Parts, folder: Path) -> Path:
    """The folder of the run that an archive holds."""
    (folder / "pages").mkdir(parents=True)
    for name, data in parts.items():
        if name in ("run.json", "events.jsonl", "report.md") or name.startswith("pages/"):
            (folder / name).write_bytes(data)
    return folder


def test_a_folder_that_was_altered_claims_no_more_than_its_pages_bear_out(
    parts: Parts, tmp_path: Path, environment: dict[str, str]
) -> None:
    forged = dict(parts)
    swap("run.json", r'"verdict": ?"un[a-z]+"', '"verdict": "supported"', count=9)(forged)
    add("report.md", b"# Approved\n\nSales rose a hundredfold. ![x](http://evil.example/x.png)\n")(forged)
    folder = in_folder(forged, tmp_path / "run")
    for format_ in ("html", "md", "csv"):
        out = tmp_path / f"as.{format_}"
        assert main(["export", str(folder), "--format", format_, "--out", str(out)], environment) == 0
        text = out.read_text("utf-8-sig")
        assert "hundredfold" not in text and "evil.example" not in text
        assert format_ == "csv" or ("Not supported" in text and "other verdicts than its pages bear out" in text)
    assert {one.verdict for one in load_folder(folder).record.sentences} == {"supported", "unsupported", "uncited"}


def test_what_is_said_to_have_been_answered_is_proved_as_well(parts: Parts, store: RunStore) -> None:
    claim = "Sales in Vietnam were 931 million yen in fiscal 2025 [E2]. ![x](http://evil.example/x.png)"
    sentence = {"text": claim[:53], "start": 0, "end": 53, "evidence": ["E2"], "verdict": "supported", "score": 1.0}
    answer = {
        "type": "follow_up_answered", "number": 1, "question": "How much?", "writer": "chat", "draft": claim,
        "sentences": [sentence], "is_answered": True, "is_covered": True,
    }  # fmt: skip
    made = dict(parts)
    last = json.loads(made["events.jsonl"].splitlines()[-1])
    line = json.dumps(answer | {"seq": last["seq"] + 1, "at": last["at"]})
    made["events.jsonl"] += line.encode() + b"\n"
    report = load_report(store, import_run(store, packed(made)))
    (one,) = report.follow_ups
    assert [told.verdict for told in one.answer.sentences if told.verdict] == ["unsupported"]
    assert not one.answer.is_answered
    assert "evil.example" not in with_follow_ups(report)
    assert [problem.code for problem in report.record.problems] == ["verdicts_recomputed"]


_BAIT = "![x](http://evil.example/x) [y](http://evil.example/y) <img src=//evil.example/z> <http://evil.example/w>"


def _texts(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield where the texts of JSON stand."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts(inner, (*path, key))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _texts(inner, (*path, place))
    elif isinstance(value, str):
        yield path


def _baited(data: bytes, path: tuple[str | int, ...]) -> bytes:
    told = json.loads(data)
    *way, last = path
    place = told
    for step in way:
        place = place[step]
    place[last] += f" {_BAIT}"
    return json.dumps(told).encode()


def test_no_text_of_a_run_from_elsewhere_is_markup(parts: Parts, store: RunStore) -> None:
    """Each text of the record and of the events at a time; many are refused, as nothing fits together then."""
    lines = parts["events.jsonl"].splitlines()
    altered = [{"run.json": _baited(parts["run.json"], path)} for path in _texts(json.loads(parts["run.json"]))]
    for number, line in enumerate(lines):
        for path in _texts(json.loads(line)):
            changed = [*lines[:number], _baited(line, path), *lines[number + 1 :]]
            altered.append({"events.jsonl": b"\n".join(changed) + b"\n"})
    taken = 0
    for change in altered:
        try:
            run = import_run(store, packed(parts | change))
        except UnusableRunFile:
            continue
        report = load_report(store, run)
        store.delete(run)
        taken += 1
        for text in (with_follow_ups(report), FORMATS["md"].make(report, Paper.A4).decode()):
            assert not [link for link in addresses(text) if "evil.example" in link], change
    assert taken >= 50


def test_titles_of_pages_are_shown_as_any_other_text(parts: Parts, store: RunStore) -> None:
    evil, shown = "<script>alert(1)</script>\u202e[x](javascript:alert(1))", "alert(1)"
    made = dict(parts)
    title = re.search(r'"title":"([^"]*)"', made["pages.jsonl"].decode())
    assert title is not None
    for part in ("pages.jsonl", "run.json", "events.jsonl"):
        text = made[part].decode()
        made[part] = text.replace(json.dumps(title[1], ensure_ascii=False), json.dumps(evil)).encode()
    with pytest.raises(UnusableRunFile):  # hidden characters are in none that the program wrote
        import_run(store, packed(made))
    made = {name: data.replace(b"\\u202e", b"") for name, data in made.items()}
    run = import_run(store, packed(made))
    markdown = load_report(store, run).markdown
    assert shown in markdown
    assert "<script>" not in markdown.replace("\\<script", "")
    assert not re.search(r"(?<!\\)\]\(javascript:", markdown)


def test_the_library_lists_what_the_command_line_took_in(
    parts: Parts, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    environment = {"RESEARCH_HOME": str(tmp_path / "home"), "LANG": "en_US.UTF-8"}
    refused, taken = tmp_path / "refused.zip", tmp_path / "taken.zip"
    made = dict(parts)
    put("manifest.json", created_at="9999-12-31T23:59:59Z")(made)
    refused.write_bytes(packed(made))
    taken.write_bytes(packed(parts))
    assert main(["runs", "import", str(refused)], environment) != 0
    assert main(["runs", "import", str(taken)], environment) == 0
    capsys.readouterr()
    assert main(["runs"], environment) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1
    store = RunStore(tmp_path / "home")
    assert find(store, Wanted()).total == 1
    store.close()


def test_the_same_in_a_folder_is_refused_with_a_sentence(
    parts: Parts, tmp_path: Path, environment: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    tried = 0
    for number, (name, change) in enumerate(REFUSED.items()):
        made = dict(parts)
        change(made)
        altered = [part for part in ("run.json", "events.jsonl") if made.get(part) != parts[part] and part in made]
        if not altered or name in _ONLY_IN_ARCHIVES:
            continue
        folder = tmp_path / str(number)
        (folder / "pages").mkdir(parents=True)
        for part in ("run.json", "events.jsonl", "report.md"):
            (folder / part).write_bytes(made[part])
        for part in filter(re.compile("pages/").match, parts):
            (folder / part).write_bytes(parts[part])
        assert main(["export", str(folder), "--format", "html"], environment) == 2, name
        assert capsys.readouterr().err.startswith("Error: "), name
        tried += 1
    assert tried >= 15


def test_links_in_a_folder_of_a_run_are_neither_read_nor_written_through(
    tmp_path: Path, environment: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, asked = tmp_path / "out", ["run", "What sales target is set for South-East Asia?", "--sources", "house"]
    assert main([*asked, "--out", str(folder)], environment) == 0
    kept: dict[Path, object] = {}
    for name in ("run.json", "report.md", "events.jsonl", "pages"):
        linked, elsewhere = tmp_path / f"out of {name}", tmp_path / f"elsewhere {name}"
        shutil.copytree(folder, linked)
        (linked / name).rename(elsewhere)
        (linked / name).symlink_to(elsewhere)
        kept[elsewhere] = _held(elsewhere)
        capsys.readouterr()
        assert main(["export", str(linked), "--format", "md"], environment) != 0
        assert f"{name} is missing" in capsys.readouterr().err.replace("pages/", "pages is missing ")
        (folder / name).rename(tmp_path / f"before {name}")
        (folder / name).symlink_to(elsewhere)
    main([*asked, "--out", str(folder)], environment)
    for elsewhere, before in kept.items():
        assert _held(elsewhere) == before


def _held(path: Path) -> object:
    """What a file holds, or the names in a folder."""
    return path.read_bytes() if path.is_file() else sorted(path.iterdir())
