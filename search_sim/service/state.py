"""The state of a server: what its routes share."""

from __future__ import annotations

from dataclasses import dataclass, field

from search_sim.guard import Policy
from search_sim.render import Renderer, TemplateRenderer
from search_sim.service.recorder import Recorder
from search_sim.service.sessions import Sessions
from search_sim.service.traffic import Traffic
from search_sim.shelf import Shelf


@dataclass
class Service:
    """What the routes share.

    Attributes:
        policy: the policy of episodes that don't name one.
        renderer: what writes the results of all episodes.
        recorder: where trajectories are written to, if they are.
    """

    shelf: Shelf
    trainer_key: str
    policy: Policy = "reach"
    sessions: Sessions = field(default_factory=Sessions)
    renderer: Renderer = field(default_factory=TemplateRenderer)
    recorder: Recorder | None = None
    traffic: Traffic = field(default_factory=Traffic)

    def close(self) -> None:
        """Write down the episodes that were left open."""
        if self.recorder:
            left = [one.episode.trajectory for one in self.sessions.all() if not one.closed]
            self.recorder.close(left)
