from .markdown import to_markdown
from .reply import ReplyTable, Unreadable, read_reply
from .report import Summary, summarise
from .score import Score, score
from .table import AnswerColumn, AnswerTable

__all__ = [
    "AnswerColumn",
    "AnswerTable",
    "ReplyTable",
    "Score",
    "Summary",
    "Unreadable",
    "read_reply",
    "score",
    "summarise",
    "to_markdown",
]
