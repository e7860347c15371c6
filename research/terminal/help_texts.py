"""What `--help` says, in both languages."""

from __future__ import annotations

from research.language import Bilingual

HELP = {
    "program": Bilingual(
        "Research a question; every claim can be checked.", "問いを調査し、根拠を確かめられるレポートを作ります。"
    ),
    "run": Bilingual("research a question and write the report", "問いを調査してレポートを書く"),
    "compare": Bilingual("research a question in several ways, side by side", "一つの問いを複数の進め方で調べて比べる"),
    "methods": Bilingual("methods to compare, separated by commas", "比べる調査方法（コンマ区切り）"),
    "presets": Bilingual("presets to compare, separated by commas", "比べるプリセット（コンマ区切り）"),
    "more_compare": Bilingual(
        "Every combination runs at the same time. DIR gets a folder for each with the files of a run, and "
        "comparison.md and comparison.json.\nExit status: that of the worst run.",
        "すべての組み合わせを同時に実行します。DIR には、実行ごとのフォルダーと comparison.md、"
        "comparison.json を書き出します。"
        "\n終了コードは最も悪い実行のものです。",
    ),
    "resume": Bilingual("let a run that broke off go on", "中断した実行を続きから再開する"),
    "notes": Bilingual("show the research notes of a run (method noted)", "実行の調査ノートを表示する（ノート型）"),
    "export_run": Bilingual(
        "write a run, with all that it read, as one file", "実行を、読んだページも含めて一つのファイルに書き出す"
    ),
    "import_run": Bilingual("take in a run from such a file", "書き出したファイルから実行を取り込む"),
    "run_file": Bilingual("the file of the run", "実行のファイル"),
    "run_id": Bilingual("the run, as `runs` lists it", "実行の ID（runs の一覧に表示）"),
    "json": Bilingual("as JSON", "JSON で出力する"),
    "delete": Bilingual("delete the notes of the run, and nothing else of it", "その実行のノートだけを削除する"),
    "runs": Bilingual("list past runs, newest first", "これまでの実行を新しい順に表示する"),
    "limit": Bilingual("how many (default: 20)", "表示する件数（既定：20）"),
    "question": Bilingual("what to research; optional if --brief has it", "調査する問い（--brief にあれば省略可）"),
    "preset": Bilingual("how to go about it (default: quality)", "進め方（既定：quality）"),
    "method": Bilingual("how the research is organised (default: the preset's)", "調査方法（既定：プリセットによる）"),
    "queries_per_section": Bilingual(
        "for the outlined method: queries in one search of a section, 1 to 5 (default: the analyst decides)",
        "章立て型で、章ごとの1回の検索に使うクエリの数。1〜5（既定：分析役が決定）",
    ),
    "iterations": Bilingual(
        "for the outlined method: searches of each section at most, 1 to 5 (default: the analyst decides)",
        "章立て型で、章ごとの検索の最大回数。1〜5（既定：分析役が決定）",
    ),
    "scope": Bilingual("the lens", "観点"),
    "period": Bilingual("how far back information may date", "情報の新しさ"),
    "region": Bilingual("the part of the world", "地域"),
    "sources": Bilingual("where to look, separated by commas", "情報源（コンマ区切り）"),
    "audience": Bilingual("who will read the report", "読者"),
    "form": Bilingual("what the report is made of", "形式"),
    "length": Bilingual("how long it may be", "分量"),
    "summary": Bilingual("where the executive summary stands", "要旨の位置"),
    "tone": Bilingual("the manner of writing", "文体"),
    "language": Bilingual("language of the report and of messages", "レポートとメッセージの言語"),
    "exclude": Bilingual("what not to research; may be repeated", "調査しないこと（繰り返し可）"),
    "prefer_site": Bilingual("a domain to search first; may be repeated", "優先するドメイン（繰り返し可）"),
    "forbid_site": Bilingual("a domain never to read; may be repeated", "使わないドメイン（繰り返し可）"),
    "max_cost": Bilingual(
        "the most that the models may cost in US dollars; the report is then written from what there is",
        "モデルの費用の上限（米ドル）。達するとその時点の内容でレポートを書きます",
    ),
    "max_minutes": Bilingual(
        "the most minutes that the run may take, the writing included", "所要時間の上限（分、執筆を含む）"
    ),
    "estimate": Bilingual(
        "print what the run will take (time, tokens, money) and run nothing",
        "所要時間・トークン・費用の見積もりを表示し、実行はしない",
    ),
    "note": Bilingual("anything to add in your own words", "自由記述の補足"),
    "analyst": Bilingual(
        "who researches: models (chat), rules (extractive), or models if a key is set (auto)",
        "調査の担い手：モデル（chat）、規則（extractive）、キーがあればモデル（auto）",
    ),
    "library": Bilingual("a folder of documents to search as well", "あわせて検索する資料のフォルダー"),
    "brief": Bilingual("a brief as JSON; other flags override it", "ブリーフの JSON ファイル（ほかの指定が優先）"),
    "out": Bilingual("the folder to write", "出力先のフォルダー"),
    "quiet": Bilingual("show no progress", "進行状況を表示しない"),
    "more": Bilingual(
        "Writes report.md, run.json, events.jsonl and pages/ to DIR. Ctrl-C writes the report from what there is, "
        "a second Ctrl-C stops at once.\nExit status: 0 complete, 3 partial, 1 failed, 2 wrong usage.",
        "DIR に report.md、run.json、events.jsonl、pages/ を書き出します。Ctrl-C でその時点の内容からレポートを書き、"
        "もう一度 Ctrl-C で直ちに停止します。\n終了コード：0 完了、3 一部のみ、1 失敗、2 使い方の誤り。",
    ),
    "export": Bilingual("write the report of a run as a file to hand on", "実行のレポートを配布用のファイルに書き出す"),
    "run_or_folder": Bilingual(
        "the folder that `run --out` wrote, or a run as `runs` lists it",
        "run --out で書き出したフォルダー、または実行の ID（runs の一覧に表示）",
    ),
    "format": Bilingual("the kind of file", "ファイルの形式"),
    "paper": Bilingual("size of printed pages (default: a4)", "用紙サイズ（既定：a4）"),
    "out_file": Bilingual(
        "the file to write (default: report.SUFFIX in DIR)", "出力するファイル（既定：DIR の report.拡張子）"
    ),
    "values": Bilingual("Values:", "選べる値："),
}
