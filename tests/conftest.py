"""What holds for every test.

A property is judged by its outcome, never by the clock of a busy machine. Programs started by tests get every signal as
from a terminal, though the tests themselves may run under `nohup` or in the background, where signals are ignored:
what is ignored is inherited, what is handled is not.
"""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, settings

# In CI the examples are the same every time, as in hypothesis's own profile there: what fails can be seen again.
settings.register_profile(
    "dexter", deadline=None, derandomize="CI" in os.environ, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("dexter")

for number in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, lambda _number, _frame: None)
