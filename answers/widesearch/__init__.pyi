from .cases import FROZEN_NOW, run_case
from .errors import GoldError, ScorerError
from .frame import Column, Frame
from .judge import CannedJudge, Judge, ScriptedJudge, SilentJudge, parse_markdown_json
from .metrics import date_near, exact_match, in_match, llm_judge, number_near, url_match
from .prepare import extract_number, norm_column, norm_date, norm_str
from .result import Result
from .scorer import evaluate
from .tables import extract_table, load_gold
from .trials import aggregate

__all__ = [
    "FROZEN_NOW",
    "CannedJudge",
    "Column",
    "Frame",
    "GoldError",
    "Judge",
    "Result",
    "ScorerError",
    "ScriptedJudge",
    "SilentJudge",
    "aggregate",
    "date_near",
    "evaluate",
    "exact_match",
    "extract_number",
    "extract_table",
    "in_match",
    "llm_judge",
    "load_gold",
    "norm_column",
    "norm_date",
    "norm_str",
    "number_near",
    "parse_markdown_json",
    "run_case",
    "url_match",
]
