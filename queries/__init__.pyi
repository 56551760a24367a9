from .lineage import Lineage
from .plan import Plan
from .propose import Rejection, propose_tasks
from .scene import Scene
from .task import Task
from .wording import question

__all__ = [
    "Lineage",
    "Plan",
    "Rejection",
    "Scene",
    "Task",
    "propose_tasks",
    "question",
]
