"""What can go wrong, and how it is told to the user in both languages."""

from __future__ import annotations

from research.language import Bilingual, Language


class ResearchError(Exception):
    """Base of every error that this package raises on purpose."""


class UsageError(ResearchError):
    """The caller asked for something that does not exist (a value, a folder, a run)."""


class SourceError(ResearchError):
    """A search failed; the run goes on without it.

    `code` names the reason (a key of `research.core.errors`), `detail` is for the log.
    """

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(detail or code)
        self.code = code
        self.detail = detail


class ModelError(ResearchError):
    """A model call failed after the retries that its client makes."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(detail or code)
        self.code = code
        self.detail = detail


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

    `code` names the reason (a key of `research.core.errors`): locked, full disk, permissions, damaged, newer version.
    """

    def __init__(self, detail: str = "", code: str = "store_failed") -> None:
        super().__init__(detail)
        self.code = code


PROBLEMS: dict[str, Bilingual] = {
    # search
    "search_unauthorized": Bilingual(
        "The search service refused the key. Enter it anew in the workbench's Settings, or check the variable that "
        "sets it (TAVILY_API_KEY; where a model searches, OPENAI_API_KEY or ANTHROPIC_API_KEY).",
        "検索サービスがキーを受け付けませんでした。画面の「設定」で入力し直すか、環境変数（TAVILY_API_KEY。モデルが検索する"
        "場合は OPENAI_API_KEY または ANTHROPIC_API_KEY）を確認してください。",
    ),
    "search_quota": Bilingual(
        "The search service's quota is used up. Wait, or raise the plan's limit.",
        "検索サービスの利用枠を使い切りました。時間をおくか、プランの上限を引き上げてください。",
    ),
    "search_bad_request": Bilingual(
        "The search service did not accept the query.", "検索サービスがクエリを受け付けませんでした。"
    ),
    "search_unreachable": Bilingual(
        "The search service could not be reached. Check the network and the service's address.",
        "検索サービスに接続できませんでした。ネットワークと、サービスのアドレスを確認してください。",
    ),
    "search_unsupported": Bilingual(
        "This server or model offers no web search. Choose in the workbench's Settings who searches, or check "
        "WEB_SEARCH and WEB_SEARCH_MODEL.",
        "このサーバーまたはモデルはウェブ検索に対応していません。画面の「設定」で検索の担い手を選ぶか、環境変数 "
        "WEB_SEARCH と WEB_SEARCH_MODEL を確認してください。",
    ),
    "pages_unreadable": Bilingual(
        "The search named pages, but none of them could be read.",
        "検索でページは見つかりましたが、いずれも読み取れませんでした。",
    ),
    "search_timeout": Bilingual("The search took too long.", "検索が時間内に終わりませんでした。"),
    "search_failed": Bilingual("A search failed.", "検索に失敗しました。"),
    # servers of tools
    "mcp_unauthorized": Bilingual(
        "A connected server refused access. Check its headers in mcp.json and the variables that they name.",
        "接続サーバーがアクセスを拒否しました。mcp.json のヘッダーと、そこで指定した環境変数を確認してください。",
    ),
    "mcp_no_variable": Bilingual(
        "An environment variable that mcp.json names is not set.",
        "mcp.json で指定した環境変数が設定されていません。",
    ),
    "mcp_unreachable": Bilingual(
        "A connected server could not be reached. Check its address in mcp.json.",
        "接続サーバーに接続できませんでした。mcp.json のアドレスを確認してください。",
    ),
    "mcp_timeout": Bilingual(
        "A connected server took too long to answer.", "接続サーバーの応答が時間内にありませんでした。"
    ),
    "mcp_failed": Bilingual(
        "A connected server reported an error, or its answer could not be used.",
        "接続サーバーでエラーが起きたか、回答を利用できませんでした。",
    ),
    # sources
    "no_sources": Bilingual(
        "No source of pages is available for this brief. Enter a key for web search in the workbench's Settings (or "
        "set TAVILY_API_KEY), or add documents.",
        "このブリーフで使える情報源がありません。画面の「設定」でウェブ検索のキーを入力するか（または環境変数 "
        "TAVILY_API_KEY を設定するか）、資料を追加してください。",
    ),
    "plan_empty": Bilingual(
        "The plan had no sections; the question was researched as one.",
        "計画に章がなかったため、問い全体を一つの章として調べました。",
    ),
    "plan_shortened": Bilingual(
        "The plan repeated sections or had too many; those were left out.",
        "計画に重複した章や上限を超える章があったため、除きました。",
    ),
    "unplanned": Bilingual(
        "The planner saw no need for detailed research, so nothing was searched.",
        "詳細な調査は不要と判断されたため、検索は行っていません。",
    ),
    "topic_timeout": Bilingual(
        "A topic took too long and ended with what it had.",
        "時間内に終わらないトピックがあり、その時点の内容で終了しました。",
    ),
    "no_hits": Bilingual(
        "Nothing was found. Use other words, a wider period or more sources.",
        "該当する情報が見つかりませんでした。言葉を変える、期間を広げる、情報源を増やすなどをお試しください。",
    ),
    # models
    "model_unauthorized": Bilingual(
        "The model provider refused the key. Enter it anew in the workbench's Settings, or check OPENAI_API_KEY.",
        "モデルの提供元がキーを受け付けませんでした。画面の「設定」で入力し直すか、環境変数 OPENAI_API_KEY を確認して"
        "ください。",
    ),
    "model_not_found": Bilingual(
        "The model does not exist at this address. Check the model's name and the address in the workbench's Settings, "
        "or OPENAI_BASE_URL.",
        "指定のモデルが見つかりません。画面の「設定」でモデル名とアドレスを確認するか、環境変数 OPENAI_BASE_URL を"
        "確認してください。",
    ),
    "model_quota": Bilingual(
        "The model provider is limiting calls, or its quota is used up. Wait, or raise the limit.",
        "モデルの呼び出しが制限されているか、利用枠を使い切りました。時間をおくか、上限を引き上げてください。",
    ),
    "model_unreachable": Bilingual(
        "The model could not be reached. Check the network, and the address in the workbench's Settings or in "
        "OPENAI_BASE_URL.",
        "モデルに接続できませんでした。ネットワークと、画面の「設定」または環境変数 OPENAI_BASE_URL のアドレスを確認"
        "してください。",
    ),
    "model_timeout": Bilingual("The model took too long to answer.", "モデルの応答が時間内に終わりませんでした。"),
    "model_failed": Bilingual("The model provider reported an error.", "モデルの提供元でエラーが起きました。"),
    "model_unusable": Bilingual("The model's answer could not be used.", "モデルの回答を利用できませんでした。"),
    "context_overflow": Bilingual(
        "The findings did not fit the model's window; they were reduced.",
        "調査結果がモデルの入力上限に収まらないため、絞り込みました。",
    ),
    "answer_cut": Bilingual(
        "The model's answer was cut off at its length limit.", "モデルの回答が長さの上限で途切れました。"
    ),
    # research and writing
    "topic_failed": Bilingual("A topic could not be researched.", "一部のトピックを調査できませんでした。"),
    "report_by_rule": Bilingual(
        "No model could write the report; it was composed of verbatim quotes by rule.",
        "モデルがレポートを書けなかったため、原文の引用から規則により構成しました。",
    ),
    "report_uncited": Bilingual(
        "The model's report cited none of its evidence and was not used.",
        "モデルのレポートが証拠を引用していなかったため、採用しませんでした。",
    ),
    "report_longer": Bilingual(
        "The report is longer than was asked for.", "レポートが、指定された分量より長くなっています。"
    ),
    "report_shorter": Bilingual(
        "The report is shorter than was asked for; it is not filled up beyond what was found.",
        "レポートは、指定された分量より短くなっています。見つかった情報を超えて水増しはしていません。",
    ),
    "repair_failed": Bilingual(
        "Sentences that are not borne out could not be repaired; they are marked as they are.",
        "裏付けのない文を修正できませんでした。該当する文は、そのまま検証結果とともに示しています。",
    ),
    "strict_by_rule": Bilingual(
        "No primary source supports a sentence of the model's report; primary sources are quoted by rule instead.",
        "モデルのレポートには一次情報で裏付けられる文がなかったため、一次情報の引用から規則により構成しました。",
    ),
    "nothing_primary": Bilingual(
        "No primary source was found that supports a statement on this question, so the report holds none.",
        "この問いについて裏付けとなる一次情報が見つからなかったため、レポートには何も記載していません。",
    ),
    "comparison_failed": Bilingual(
        "The sources could not be compared with each other for contradictions.",
        "情報源どうしの食い違いを照合できませんでした。",
    ),
    "nothing_left": Bilingual(
        "Everything that was found was left out at the user's request: topics were dropped, or sites blocked.",
        "利用者の指示（トピックの除外、サイトのブロック）により、見つかった情報はすべて対象外となりました。",
    ),
    "question_late": Bilingual(
        "A question was added after research had ended, so it was not researched.",
        "調査の終了後に追加された問いのため、調べていません。",
    ),
    "finished_early": Bilingual(
        "The research was finished early at the user's request.",
        "利用者の指示により、調査を途中で切り上げました。",
    ),
    "stopped": Bilingual("The run was stopped by the user.", "利用者が実行を停止しました。"),
    "interrupted": Bilingual(
        "The program ended before the run did. This report lists what had been found until then.",
        "実行の途中でプログラムが終了しました。このレポートは、それまでに見つかったものの一覧です。",
    ),
    "cap_reached": Bilingual(
        "The cap that was set for this run was reached. The report rests on what had been found until then; "
        "a higher cap allows more.",
        "この実行に設定した上限に達しました。レポートはそれまでに見つかった内容によるものです。"
        "さらに調べるには上限を引き上げてください。",
    ),
    "internal": Bilingual("An unexpected error occurred.", "予期しないエラーが起きました。"),
    # documents
    "file_encrypted": Bilingual("The file is encrypted.", "ファイルが暗号化されています。"),
    "file_broken": Bilingual("The file is damaged and cannot be read.", "ファイルが壊れていて読めません。"),
    "file_binary": Bilingual("This kind of file cannot be read as text.", "テキストとして読めない種類のファイルです。"),
    "file_too_large": Bilingual("The file is too large.", "ファイルが大きすぎます。"),
    "file_empty": Bilingual("The file holds no text.", "ファイルにテキストがありません。"),
    "file_unreadable": Bilingual("The file could not be opened.", "ファイルを開けませんでした。"),
    "folder_empty": Bilingual("The folder holds no readable document.", "フォルダーに読める文書がありません。"),
    # store
    "store_failed": Bilingual(
        "The stored runs could not be read or written. Check free disk space and permissions.",
        "実行の保存データを読み書きできませんでした。空き容量と権限を確認してください。",
    ),
    "store_busy": Bilingual(
        "Another program is writing to the stored runs, so nothing was changed. Try again in a moment.",
        "別のプログラムが保存データに書き込んでいるため、何も変更していません。少し待ってからやり直してください。",
    ),
    "store_full": Bilingual(
        "The disk is full or cannot be written, so nothing was saved. Free some space and try again.",
        "ディスクの空きがないか書き込めないため、保存できませんでした。空き容量を増やしてからやり直してください。",
    ),
    "store_refused": Bilingual(
        "The stored runs may not be opened or written. Check the permissions of the folder that RESEARCH_HOME names.",
        "保存データを開けないか、書き込みが許可されていません。RESEARCH_HOME のフォルダーの権限を確認してください。",
    ),
    "store_damaged": Bilingual(
        "The file of the stored runs (runs.sqlite3) is damaged. Put a copy in its place, or move it away to begin "
        "anew.",
        "保存データのファイル（runs.sqlite3）が壊れています。控えに差し替えるか、別の場所へ移して新しく始めてください。",
    ),
    "store_newer": Bilingual(
        "The stored runs were written by a newer version of this program. Install that version, or set "
        "RESEARCH_HOME to another folder.",
        "保存データは、より新しい版のプログラムで作成されています。その版をインストールするか、RESEARCH_HOME を別の"
        "フォルダーに設定してください。",
    ),
    "saved_late": Bilingual(
        "For a while nothing could be saved. What was found is kept in memory and saved as soon as that is possible: "
        "check free disk space, and whether another program is writing to the stored runs.",
        "一時的に保存できない状態になりました。見つかった内容はメモリに保持し、可能になり次第保存します。"
        "空き容量と、別のプログラムが保存データに書き込んでいないかを確認してください。",
    ),
}


def explain(code: str, language: Language, subject: str = "") -> str:
    """Return one sentence for a person: what happened and what to do, naming `subject` if there is one."""
    text = PROBLEMS.get(code, PROBLEMS["internal"]).in_(language)
    if not subject:
        return text
    return f"{subject}：{text}" if language is Language.JA else f"{subject}: {text}"
