"""The context pipeline: what stays in the view, what is shortened, what goes, and how it is found again."""
