"""`skill`: load a workflow. Its text stays in the view, because the model works by it."""

from __future__ import annotations

from pydantic import BaseModel, Field

from dexter.errors import ToolError, UsageError
from dexter.results import Source, ToolResult
from dexter.skills.shelf import Shelf
from dexter.skills.skill import Skill
from dexter.tools.tool import Tool, ToolContext

NAME = "skill"


class SkillArguments(BaseModel):
    """Which workflow."""

    name: str = Field(description="Name of the workflow, as the list of workflows has it.", min_length=1)


def skill_tool(shelf: Shelf) -> Tool[SkillArguments]:
    """The tool."""

    async def run(arguments: SkillArguments, _context: ToolContext) -> ToolResult:
        try:
            skill = shelf.get(arguments.name)
        except UsageError as error:
            raise ToolError(error.message, remedy=error.remedy) from error
        return ToolResult(skill_text(skill), sources=(Source("file", f"skill {skill.name} ({skill.origin})"),))

    return Tool(
        name=NAME,
        description="Load a workflow by its name and follow it: steps, formulas and checks for a kind of task.",
        arguments=SkillArguments,
        run=run,
        concurrent=True,
        clearable=False,
        limited=False,
    )


def skill_text(skill: Skill) -> str:
    """The workflow, and where the files lie that it speaks of."""
    beside = f"\n\nFiles of this skill, below {skill.folder}: {', '.join(skill.files)}" if skill.files else ""
    return f"Workflow {skill.name}\n\n{skill.text}{beside}\n"
