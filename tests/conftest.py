"""What every test of the project shares."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# No screen is needed but by the tests marked xvfb, which start the program themselves.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# Compiling kernels and slow machines are no failure of the code.
settings.register_profile(
    "project",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.register_profile("thorough", parent=settings.get_profile("project"), max_examples=3000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "project"))
