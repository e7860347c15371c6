"""What can go wrong, and how it is told to the user in both languages."""

from __future__ import annotations

from enum import StrEnum

from research.language import Bilingual, Language, Phrase


class Stage(StrEnum):
    """Which part of a run let it down, so that every report can be traced."""

    SCOPE = "scope"
    SEARCH = "search"
    RESEARCH = "research"
    WRITING = "writing"


class ResearchError(Exception):
    """Base of every error that this package raises on purpose."""


class UsageError(ResearchError):
    """The caller asked for something that does not exist (a value, a folder, a run); `text` says so to any reader.

    The error itself is told in `language`: that of a brief, whose author will read it.
    """

    def __init__(self, text: str | Bilingual, language: Language = Language.EN) -> None:
        self.text = Bilingual(text, text) if isinstance(text, str) else text
        super().__init__(self.text.in_(language))


class ServiceError(ResearchError):
    """Something outside failed: `code` names the reason (a key of `PROBLEMS`), `detail` is for the log."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(detail or code)
        self.code = code
        self.detail = detail


class SourceError(ServiceError):
    """A search failed; the run goes on without it."""


class ModelError(ServiceError):
    """A model call failed after the retries that its client makes."""


class ModelRefused(ModelError):
    """The provider refuses the caller (key, access, unknown model); trying again is no use."""


class ContextOverflow(ModelError):
    """The prompt does not fit the model's window."""


class CapReached(ModelError):
    """The cap that the user set for a run leaves no room for the call, or ended it."""

    def __init__(self, detail: str = "") -> None:
        super().__init__("cap_reached", detail)


class UnusableAnswer(ModelError):
    """The model answered, but not with what was asked for."""


class StoreError(ResearchError):
    """The run store, or another file of the home folder, cannot be read or written.

    `code` names the reason (a key of `research.core.errors`): locked, full disk, permissions, damaged, newer version,
    a server that is away or refuses.
    """

    def __init__(self, detail: str = "", code: str = "store_failed") -> None:
        super().__init__(detail)
        self.code = code


PROBLEMS: dict[str, Bilingual] = {
    # search
    "search_unauthorized": Phrase(
        "The search service refused the key. Enter it anew in the workbench's Settings, or check the variable that "
        "sets it (TAVILY_API_KEY; where a model searches, OPENAI_API_KEY or ANTHROPIC_API_KEY)."
    ),
    "search_denied": Phrase(
        "The service turned this program away. No key was sent, so none is wrong: some services let programs in only "
        "now and then, or from some networks. Try again later, or ask another source."
    ),
    "search_quota": Phrase("The search service's quota is used up. Wait, or raise the plan's limit."),
    "search_bad_request": Phrase("The search service did not accept the query."),
    "search_unreachable": Phrase(
        "The search service could not be reached. Check the network and the service's address."
    ),
    "search_unsupported": Phrase(
        "This server or model offers no web search. Choose in the workbench's Settings who searches, or check "
        "WEB_SEARCH and WEB_SEARCH_MODEL."
    ),
    "pages_unreadable": Phrase("The search named pages, but none of them could be read."),
    "search_timeout": Phrase("The search took too long."),
    "search_given_up": Phrase("The search was no longer waited for."),
    "search_failed": Phrase("A search failed."),
    "source_silent": Phrase("A source answered none of the searches; nothing in the report comes from it."),
    "source_empty": Phrase("A source had nothing for any of the searches; nothing in the report comes from it."),
    "outside_period": Phrase(
        "Pages were found that date from outside the period asked for; they were read after all others."
    ),
    "outside_region": Phrase(
        "Pages were found that are about another region than the one asked for; they were read after all others."
    ),
    "query_withheld": Phrase(
        "Words were taken out of a query, or it was not sent: they are not known to stand anywhere but in your own "
        "documents or in the answers of a connected server. Settings can allow such queries."
    ),
    # servers of tools
    "mcp_unauthorized": Phrase(
        "A connected server refused access. Check its headers in mcp.json and the variables that they name, or log in "
        "to it: python -m research login NAME."
    ),
    "mcp_login": Phrase(
        "The login to a connected server has ended or did not succeed. Log in again: python -m research login NAME."
    ),
    "mcp_no_variable": Phrase("An environment variable that mcp.json names is not set."),
    "mcp_unreachable": Phrase("A connected server could not be reached. Check its address in mcp.json."),
    "mcp_timeout": Phrase("A connected server took too long to answer."),
    "mcp_unconfirmed": Phrase(
        "A tool of a connected server may change something there and was not asked. Settings can allow it."
    ),
    "mcp_failed": Phrase("A connected server reported an error, or its answer could not be used."),
    # sources
    "no_sources": Phrase(
        "No source of pages is available for this brief. Enter a key for web search in the workbench's Settings (or "
        "set TAVILY_API_KEY), or add documents."
    ),
    "plan_empty": Phrase("The plan had no sections; the question was researched as one."),
    "plan_shortened": Phrase("The plan repeated sections or had too many; those were left out."),
    "unplanned": Phrase("The planner saw no need for detailed research, so nothing was searched."),
    "topic_timeout": Phrase("A topic took too long and ended with what it had."),
    "subject_missing": Phrase("Nothing that was read speaks of what was asked, so the report cites nothing."),
    "answer_missing": Phrase(
        "What is asked was not found; the report quotes what comes nearest. Use other words, or more sources."
    ),
    "name_missing": Phrase("No page that was read names them; the report says nothing of them."),
    "no_hits": Phrase("Nothing was found. Use other words, a wider period or more sources."),
    # models
    "model_unauthorized": Phrase(
        "The model provider refused the key. Enter it anew in the workbench's Settings, or check the environment."
    ),
    "model_not_found": Phrase(
        "The model does not exist at this address. Check the model's name and the address in the workbench's Settings "
        "or in the environment."
    ),
    "model_replaced": Phrase("A model was refused; that of another role took its place."),
    "model_quota": Phrase("The model provider is limiting calls, or its quota is used up. Wait, or raise the limit."),
    "model_unreachable": Phrase(
        "The model could not be reached. Check the network, and the address in the workbench's Settings or in "
        "the environment."
    ),
    "model_timeout": Phrase("The model took too long to answer."),
    "model_failed": Phrase("The model provider reported an error."),
    "model_unusable": Phrase("The model's answer could not be used."),
    "context_overflow": Phrase("The findings did not fit the model's window; they were reduced."),
    "answer_cut": Phrase("The model's answer was cut off at its length limit."),
    "answer_language": Phrase("A model wrote in another language than was asked for."),
    # embeddings
    "embedding_unauthorized": Phrase(
        "The server of embeddings refused the key. Enter it anew in the workbench's Settings, or check "
        "EMBEDDING_API_KEY."
    ),
    "embedding_not_found": Phrase(
        "The server offers no embeddings of this model. Check the model's name and the address in the workbench's "
        "Settings, or EMBEDDING_MODEL and EMBEDDING_BASE_URL."
    ),
    "embedding_quota": Phrase(
        "The server of embeddings is limiting calls, or its quota is used up. Wait, or raise the limit."
    ),
    "embedding_unreachable": Phrase(
        "The server of embeddings could not be reached. Check the network, and the address in the workbench's Settings "
        "or in EMBEDDING_BASE_URL."
    ),
    "embedding_timeout": Phrase("The server of embeddings took too long to answer."),
    "embedding_failed": Phrase("The server of embeddings reported an error."),
    "embedding_unusable": Phrase(
        "The vectors of this embedding model could not be used: they are no numbers, do not fit together, or do not "
        "tell related texts from unrelated ones. Choose another model in the workbench's Settings, or check "
        "EMBEDDING_MODEL."
    ),
    "embedding_no_package": Phrase(
        "A package for this embedding model is missing. Install the extra fastembed for models that run on this "
        "computer, or web for those of a server."
    ),
    "embedding_not_downloaded": Phrase(
        "This embedding model is not on this computer, or cannot be loaded. “Save and check embeddings” in the "
        "workbench's Settings downloads it; that needs the network once."
    ),
    "embedding_kept_here": Phrase(
        "The server of embeddings was not asked, as this run reads your own documents or answers of connected servers. "
        "Settings can allow it."
    ),
    "embedding_cap": Phrase("The cap that was set for this run left no room to ask the server of embeddings."),
    "embedding_built_in": Phrase("Texts were compared by the built-in model instead."),
    "embedding_words": Phrase(
        "Texts were compared by their words alone, so what is said in other words may be missing. Install the extra "
        "“meaning”, or set up embeddings in the workbench's Settings."
    ),
    # research and writing
    "topic_failed": Phrase("A topic could not be researched."),
    "report_by_rule": Phrase(
        "No model could write the report; it was composed by rule of verbatim quotes "
        "and of calculations on their figures."
    ),
    "section_by_rule": Phrase("A section could not be written by any model; it holds every quote that was kept."),
    "report_uncited": Phrase("The model's report cited none of its evidence and was not used."),
    "report_baseless": Phrase(
        "The pages bear out no sentence of the model's report; it was composed of verbatim quotes instead."
    ),
    "part_unanswered": Phrase("Nothing that the report cites speaks of this part of the question."),
    "report_longer": Phrase("The report is longer than was asked for."),
    "report_shorter": Phrase("The report is shorter than was asked for; it is not filled up beyond what was found."),
    "judging_failed": Phrase("No model read the sentences on which rules do not decide; rules alone judged them."),
    "repair_failed": Phrase("Sentences that are not borne out could not be repaired; they are marked as they are."),
    "strict_by_rule": Phrase(
        "No primary source supports a sentence of the model's report; primary sources are quoted by rule instead."
    ),
    "nothing_primary": Phrase(
        "No primary source was found that supports a statement on this question, so the report holds none."
    ),
    "report_gone": Phrase("A report that was to be compared is not among your runs (any more)."),
    "comparison_failed": Phrase("The sources could not be compared with each other for contradictions."),
    "nothing_left": Phrase(
        "Everything that was found was left out at the user's request: topics were dropped, or sites blocked."
    ),
    "question_late": Phrase("A question was added after research had ended, so it was not researched."),
    "finished_early": Phrase("The research was finished early at the user's request."),
    "stopped": Phrase("The run was stopped by the user."),
    "not_begun": Phrase("The run could not begin on the machine that was to carry it out."),
    "interrupted": Phrase("The program ended before the run did. This report lists what had been found until then."),
    "cap_reached": Phrase(
        "The research ended early to stay within the cap that was set. The report rests on what had been found until "
        "then; a higher cap allows more."
    ),
    "internal": Phrase("An unexpected error occurred."),
    # documents
    "file_encrypted": Phrase("The file is encrypted."),
    "file_broken": Phrase("The file is damaged and cannot be read."),
    "file_binary": Phrase("This kind of file cannot be read as text."),
    "file_too_large": Phrase("The file is too large."),
    "file_empty": Phrase("The file holds no text."),
    "file_unreadable": Phrase("The file could not be opened."),
    "file_scanned": Phrase(
        "The file holds pictures of pages, but no text. They are read where Tesseract is installed (tesseract-ocr; "
        "for Japanese also tesseract-ocr-jpn)."
    ),
    "file_pictured": Phrase(
        "These pages are pictures, so their text was not read. Install Tesseract to have it recognised "
        "(tesseract-ocr; for Japanese also tesseract-ocr-jpn)."
    ),
    "file_pictured_long": Phrase(
        "These pages are pictures, and no time was left to recognise their text. Split the file to have them read."
    ),
    "file_slow": Phrase(
        "Reading the file took too long and was ended. It is not read again by itself, only when it changes or when "
        "its folder is indexed anew under “Sources & cache”."
    ),
    "file_heavy": Phrase(
        "Reading the file took too much memory and was ended. It is not read again by itself, only when it changes or "
        "when its folder is indexed anew under “Sources & cache”."
    ),
    "file_fatal": Phrase(
        "The file broke the program that read it. It is not read again by itself, only when it changes or when "
        "its folder is indexed anew under “Sources & cache”."
    ),
    "file_unfinished": Phrase(
        "The reading of the file has not ended: another run is still at it, or the program ended over it. It is not "
        "read again by itself, only when it changes or when its folder is indexed anew under “Sources & cache”."
    ),
    "file_waiting": Phrase("No time was left to read the file; it is read the next time."),
    "folder_empty": Phrase("The folder holds no readable document."),
    # store
    "verdicts_recomputed": Phrase(
        "This run was taken in from a file that claimed other verdicts than its pages bear out. "
        "They were computed again."
    ),
    "store_failed": Phrase("The stored runs could not be read or written. Check free disk space and permissions."),
    "store_busy": Phrase(
        "Another program is writing to the stored runs, so nothing was changed. Try again in a moment."
    ),
    "store_full": Phrase("The disk is full or cannot be written, so nothing was saved. Free some space and try again."),
    "store_refused": Phrase(
        "The stored runs may not be opened or written. Check the permissions of the folder that RESEARCH_HOME names, "
        "or those of the user in RESEARCH_DATABASE."
    ),
    "store_damaged": Phrase(
        "The file of the stored runs (runs.sqlite3) is damaged. Put a copy in its place, or move it away to begin anew."
    ),
    "store_newer": Phrase(
        "The stored runs were written by a newer version of this program. Install that version, or set "
        "RESEARCH_HOME to another folder (RESEARCH_DATABASE to another database)."
    ),
    "store_extra": Phrase(
        "RESEARCH_DATABASE names a database, and what speaks to it is not installed. Install the extra “team”."
    ),
    "store_address": Phrase(
        "RESEARCH_DATABASE is no address of a PostgreSQL database. It looks like postgresql://user@host/name."
    ),
    "store_away": Phrase(
        "The database of the stored runs does not answer. Runs that are under way go on and are saved as soon as it "
        "does. If it stays so, check that the server runs, and host and port in RESEARCH_DATABASE."
    ),
    "store_login": Phrase(
        "The server of the stored runs does not let this program in. Check user, password and the name of the "
        "database in RESEARCH_DATABASE."
    ),
    "saved_late": Phrase(
        "For a while nothing could be saved. What was found is kept in memory and saved as soon as that is possible: "
        "check free disk space, whether another program is writing to the stored runs, and whether their database "
        "answers."
    ),
}


def explain(code: str, language: Language, subject: str = "") -> str:
    """Return one sentence for a person: what happened and what to do, naming `subject` if there is one."""
    text = PROBLEMS.get(code, PROBLEMS["internal"]).in_(language)
    if not subject:
        return text
    return f"{subject}：{text}" if language is Language.JA else f"{subject}: {text}"
