from .answers_file import read_answers
from .markdown import to_markdown
from .reply import ReplyTable, Unreadable, read_reply
from .report import Summary, summarise
from .reward import compute_score, reward, trl_reward, trl_rewards
from .score import Score, score
from .table import AnswerColumn, AnswerTable
from .trials import Evaluation, Gold, Problem, Trial

__all__ = [
    "AnswerColumn",
    "AnswerTable",
    "Evaluation",
    "Gold",
    "Problem",
    "ReplyTable",
    "Score",
    "Summary",
    "Trial",
    "Unreadable",
    "compute_score",
    "read_answers",
    "read_reply",
    "reward",
    "score",
    "summarise",
    "to_markdown",
    "trl_reward",
    "trl_rewards",
]
