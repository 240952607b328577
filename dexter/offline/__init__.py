"""The rule-based model that answers where no key is set: it understands, plans, reads results and writes by rules."""
