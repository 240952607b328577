"""The composition root: settings become model, tools, policy, record and sinks, and these become one run."""
