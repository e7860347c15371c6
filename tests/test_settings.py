"""Settings from the environment."""

from pathlib import Path

from research.core.presets import Role
from research.settings import Settings


def test_nothing_set_means_no_models_and_no_web() -> None:
    settings = Settings.from_environment({})
    assert not settings.has_models and not settings.has_web and settings.models == {}
    assert settings.home.is_absolute()


def test_empty_variables_count_as_not_set() -> None:
    settings = Settings.from_environment({"OPENAI_API_KEY": " ", "TAVILY_API_KEY": "", "RESEARCH_MODEL": ""})
    assert not settings.has_models and not settings.has_web and not settings.models


def test_each_variable_has_its_place() -> None:
    settings = Settings.from_environment(
        {
            "OPENAI_API_KEY": "sk-secret",
            "OPENAI_BASE_URL": "http://127.0.0.1:1/v1",
            "TAVILY_BASE_URL": "http://127.0.0.1:2",
            "PLANNING_MODEL": "a",
            "RESEARCH_MODEL": "b",
            "SUMMARIZATION_MODEL": "c",
            "COMPRESSION_MODEL": "d",
            "FINAL_REPORT_MODEL": "e",
            "RESEARCH_HOME": "/data/research",
        }
    )
    assert settings.home == Path("/data/research")
    assert settings.models == dict(zip(Role, "abcde", strict=True))
    assert settings.has_models and settings.has_web


def test_whoever_researches_plans_unless_another_is_set() -> None:
    assert Settings.from_environment({"RESEARCH_MODEL": "a"}).models == {Role.PLANNING: "a", Role.RESEARCH: "a"}
    assert Settings.from_environment({"PLANNING_MODEL": "b"}).models == {Role.PLANNING: "b"}
    both = Settings.from_environment({"RESEARCH_MODEL": "a", "PLANNING_MODEL": "b"})
    assert both.models == {Role.PLANNING: "b", Role.RESEARCH: "a"}


def test_keys_are_never_printed() -> None:
    settings = Settings.from_environment({"OPENAI_API_KEY": "sk-secret", "TAVILY_API_KEY": "tvly-secret"})
    assert "secret" not in repr(settings) + str(settings) + settings.model_dump_json()
