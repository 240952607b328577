"""The question set that comes with Dexter, made by templates from the raw figures of the bundled sample.

Nothing here imports the planner, the figure code or the data layer (import-linter checks it): what reads the questions
and what checks the answers must not have written them.
"""
