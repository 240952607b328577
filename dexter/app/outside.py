"""What a run needs of the world. Clock, files and chance enter the program here and nowhere else."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from dexter.config.load import Configuration
from dexter.config.settings import Settings
from dexter.scratchpad.file import FilePort, RealFiles


@dataclass(frozen=True)
class Outside:
    """Effects as values; tests hand in others."""

    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    files: FilePort = field(default_factory=RealFiles)
    monotonic: Callable[[], float] = time.monotonic
    random: Callable[[], float] = random.random


@dataclass(frozen=True)
class Setup:
    """What was configured, and the outside it works in."""

    config: Configuration
    outside: Outside = field(default_factory=Outside)

    @property
    def settings(self) -> Settings:
        """The typed settings."""
        return self.config.settings
