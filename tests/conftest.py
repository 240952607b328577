"""What holds for every test: a property is judged by its outcome, never by the clock of a busy machine."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("dexter", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("dexter")
