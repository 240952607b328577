"""Skills: workflows in folders with a `SKILL.md`, from the package, the user and trusted projects."""
