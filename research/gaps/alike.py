"""Words of business and research that say nearly the same, so that a need is found in a text that words it otherwise.

Every word of a line stands for every other, in either language. Verbs are given in the forms that texts use.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from research.text.words import tokens

_LINES = """
growth, grow, grew, growing, grown, increase, increased, rise, rose, expansion, expand, expanded, 成長, 増加, 拡大, 伸び
decline, declined, fall, fell, decrease, decreased, drop, dropped, shrink, shrank, 減少, 縮小, 低下, 下落
competitor, rival, competition, competing, player, vendor, 競合, 競争, 各社
company, firm, player, vendor, manufacturer, maker, supplier, producer, 企業, メーカー, 事業者, 会社
customer, buyer, user, client, consumer, 顧客, 利用者, ユーザー, 消費者, 取引先
risk, threat, hazard, danger, リスク, 脅威, 危険
regulation, regulatory, regulated, rule, law, legislation, legal, directive, 規制, 規則, 法律, 法令, 制度, 法案
policy, policies, program, programme, 政策, 施策
forecast, outlook, projection, projected, expect, expected, predict, predicted, 予測, 見通し, 見込み, 予想
plan, planned, target, goal, strategy, roadmap, 計画, 目標, 戦略, 方針
case, example, instance, 事例, 実例, 具体例, 例えば
definition, defined, refer, meaning, 定義, とは, 意味
cause, reason, driver, factor, driven, 要因, 原因, 理由, 背景
effect, impact, influence, consequence, affect, affected, 影響, 効果, 波及
challenge, problem, issue, obstacle, barrier, difficulty, constraint, 課題, 問題, 障壁, 制約
advantage, strength, benefit, merit, 利点, メリット, 強み, 優位
disadvantage, weakness, drawback, limitation, limit, 弱み, 欠点, デメリット, 限界, 短所
price, pricing, priced, 価格, 値段, 単価
cost, expense, expenditure, spending, 費用, コスト, 原価, 支出, 経費
sale, revenue, turnover, 売上, 売上高, 販売, 収入
profit, profitability, margin, earning, income, 利益, 収益, 損益
technology, technologies, technical, technique, 技術, テクノロジー
investment, invest, invested, investor, funding, 投資, 出資, 資金調達
demand, consumption, 需要, 消費
supply, production, output, 供給, 生産, 産出
history, founded, established, origin, 歴史, 沿革, 設立, 創業
method, approach, procedure, 方法, 手法, 手順
research, study, studies, survey, 研究, 調査
employment, job, worker, workforce, employee, labor, labour, 雇用, 労働, 従業員, 就業
adoption, adopted, uptake, deployment, deployed, introduced, 普及, 導入, 採用
size, scale, volume, 規模
trend, 動向, 推移
performance, result, earnings, 業績, 実績
comparison, compared, versus, 比較, 対比
safety, safe, security, 安全, 安全性, 保安
environment, environmental, emission, 環境, 排出
"""


def alike(word: str) -> tuple[str, ...]:
    """Return the words that say nearly the same as `word`, itself not among them; none if it is not listed."""
    return _lines().get(tuple(tokens(word)), ())


@cache
def _lines() -> Mapping[tuple[str, ...], tuple[str, ...]]:
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for line in _LINES.strip().splitlines():
        words = line.split(", ")
        for word in words:
            key = tuple(tokens(word))
            found[key] = (*found.get(key, ()), *(other for other in words if tuple(tokens(other)) != key))
    found.pop((), None)
    return found
