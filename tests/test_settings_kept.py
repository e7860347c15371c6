"""Settings that were entered: kept for their owner alone, and second to the environment."""

from __future__ import annotations

import logging
import stat
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import SecretStr

from pages.parts.engine import CurrentSettings
from research import kept_settings
from research.core.errors import StoreError, UsageError
from research.core.presets import Role
from research.kept_settings import KeptService, KeptSettings
from research.language import Language
from research.settings import Settings, variables_set

NOW = datetime(2026, 11, 3, 9, 30, tzinfo=UTC)
KEY = "sk-kept-secret"


def keep(home: Path, name: str = "openai", address: str = "", key: str = KEY) -> KeptSettings:
    return kept_settings.change(
        home,
        lambda before: before.model_copy(
            update={name: getattr(before, name).entered(address, key, NOW, Language.EN)},
        ),
    )


def read(home: Path, **environment: str) -> Settings:
    return Settings.from_environment({"RESEARCH_HOME": str(home), **environment})


def revealed(secret: SecretStr | None) -> str | None:
    return secret.get_secret_value() if secret is not None else None


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_nothing_is_kept_at_first(tmp_path: Path) -> None:
    assert kept_settings.load(tmp_path) == KeptSettings()
    assert list(tmp_path.iterdir()) == []


def test_what_is_kept_comes_back_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    keep(tmp_path)
    keep(tmp_path, "tavily", "http://127.0.0.1:1", "tvly-1")
    kept = kept_settings.load(tmp_path)
    assert revealed(kept.openai.key) == KEY and kept.openai.key_set_at == NOW
    assert kept.tavily.address == "http://127.0.0.1:1" and revealed(kept.tavily.key) == "tvly-1"
    file = kept_settings.place(tmp_path)
    assert mode(file) == 0o600 and mode(file.parent) == 0o700
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_a_loose_folder_or_file_is_closed(tmp_path: Path) -> None:
    file = kept_settings.place(tmp_path)
    file.parent.mkdir(mode=0o755)
    keep(tmp_path)
    assert mode(file.parent) == 0o700
    file.chmod(0o644)
    kept_settings.load(tmp_path)
    assert mode(file) == 0o600


def test_keys_are_masked_everywhere_but_in_the_file(tmp_path: Path) -> None:
    kept = keep(tmp_path)
    assert KEY not in repr(kept) + str(kept) + kept.model_dump_json()
    assert KEY in kept_settings.place(tmp_path).read_text()


def test_a_removed_key_is_gone_from_the_disk(tmp_path: Path) -> None:
    keep(tmp_path, address="http://127.0.0.1:1")
    kept_settings.change(tmp_path, lambda kept: kept.model_copy(update={"openai": kept.openai.without_key()}))
    assert kept_settings.load(tmp_path).openai == KeptService(address="http://127.0.0.1:1")
    assert all(KEY not in path.read_text() for path in tmp_path.rglob("*") if path.is_file())


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[]", b'{"openai": "sk-damaged"}'])
def test_a_damaged_file_is_said_to_be_damaged_and_is_replaced(tmp_path: Path, content: bytes) -> None:
    file = kept_settings.place(tmp_path)
    file.parent.mkdir()
    file.write_bytes(content)
    with pytest.raises(StoreError, match="damaged") as damaged:
        kept_settings.load(tmp_path)
    assert "sk-damaged" not in str(damaged.value)
    assert revealed(keep(tmp_path).openai.key) == KEY


def test_damaged_settings_are_left_out_with_a_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    kept_settings.place(tmp_path).parent.mkdir()
    kept_settings.place(tmp_path).write_text('{"openai": "sk-damaged"}')
    with caplog.at_level(logging.WARNING):
        assert not read(tmp_path).has_models
    assert "damaged" in caplog.text and "sk-damaged" not in caplog.text


def test_a_place_that_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "settings").write_text("a file where the folder should be")
    with pytest.raises(StoreError):
        keep(tmp_path)
    assert (tmp_path / "settings").read_text() == "a file where the folder should be"
    assert not read(tmp_path).has_models


def test_a_write_that_fails_leaves_what_was_kept(tmp_path: Path) -> None:
    keep(tmp_path)
    file = kept_settings.place(tmp_path)
    before = file.read_bytes()
    file.unlink()
    file.mkdir()
    with pytest.raises(StoreError):
        kept_settings.change(tmp_path, lambda kept: kept)
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    file.rmdir()
    file.write_bytes(before)
    assert revealed(kept_settings.load(tmp_path).openai.key) == KEY


def test_changes_at_the_same_time_all_arrive(tmp_path: Path) -> None:
    def choose(role: Role) -> None:
        kept_settings.change(
            tmp_path, lambda kept: kept.model_copy(update={"models": kept.models | {role: role.value}})
        )

    threads = [threading.Thread(target=choose, args=(role,)) for role in Role]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert kept_settings.load(tmp_path).models == {role: role.value for role in Role}


def test_kept_settings_fill_what_the_environment_leaves_open(tmp_path: Path) -> None:
    keep(tmp_path)
    kept_settings.change(tmp_path, lambda kept: kept.model_copy(update={"models": {Role.SUMMARIZATION: "small"}}))
    settings = read(tmp_path, TAVILY_API_KEY="tvly-env", FINAL_REPORT_MODEL="large")
    assert revealed(settings.openai_api_key) == KEY
    assert revealed(settings.tavily_api_key) == "tvly-env"
    assert settings.models == {Role.SUMMARIZATION: "small", Role.FINAL_REPORT: "large"}


def test_the_environment_goes_first(tmp_path: Path) -> None:
    keep(tmp_path)
    kept_settings.change(tmp_path, lambda kept: kept.model_copy(update={"models": {Role.RESEARCH: "kept"}}))
    settings = read(tmp_path, OPENAI_API_KEY="sk-env", RESEARCH_MODEL="env")
    assert revealed(settings.openai_api_key) == "sk-env"
    assert settings.models == {Role.RESEARCH: "env", Role.PLANNING: "env"}


def test_the_key_of_the_environment_never_goes_to_a_kept_address(tmp_path: Path) -> None:
    keep(tmp_path, address="https://elsewhere.example/v1")
    settings = read(tmp_path, OPENAI_API_KEY="sk-env")
    assert settings.openai_base_url is None


def test_a_kept_key_never_goes_to_an_address_it_was_not_entered_for(tmp_path: Path) -> None:
    keep(tmp_path)
    assert read(tmp_path, OPENAI_BASE_URL="https://elsewhere.example/v1").openai_api_key is None
    keep(tmp_path, address="https://elsewhere.example/v1")
    settings = read(tmp_path, OPENAI_BASE_URL="https://elsewhere.example/v1")
    assert revealed(settings.openai_api_key) == KEY
    with pytest.raises(UsageError, match="another address"):
        keep(tmp_path, address="https://third.example/v1", key="")
    assert kept_settings.load(tmp_path).openai.address == "https://elsewhere.example/v1"


def test_an_address_without_a_key_can_be_changed(tmp_path: Path) -> None:
    keep(tmp_path, address="http://127.0.0.1:1/v1", key="")
    keep(tmp_path, address="http://127.0.0.1:2/v1", key="")
    assert read(tmp_path).openai_base_url == "http://127.0.0.1:2/v1"
    assert not keep(tmp_path, address="", key="").openai.address


def test_which_variables_are_set_is_known() -> None:
    set_ = variables_set({"OPENAI_API_KEY": "x", "TAVILY_API_KEY": " ", "PLANNING_MODEL": "y", "HOME": "/"})
    assert set_ == {"OPENAI_API_KEY", "PLANNING_MODEL"}


def test_settings_follow_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RESEARCH_HOME", str(tmp_path))
    current = CurrentSettings()
    assert not current().has_models
    keep(tmp_path)
    assert revealed(current().openai_api_key) == KEY
    assert current() is current()
    keep(tmp_path, key="sk-other")
    assert revealed(current().openai_api_key) == "sk-other"
    kept_settings.place(tmp_path).unlink()
    assert not current().has_models
