"""All the skills there are: where they are looked for, which one a name means, and what is left out and why."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from dexter.config.project import Project
from dexter.errors import UsageError
from dexter.skills.skill import FILE, Origin, Skill, SkillFault, read_skill

LIBRARY = Path(__file__).parent / "library"
_DEEPEST = 4
_MOST_FOLDERS = 2_000
_UNTRUSTED = "the folder is not trusted; `dexter config trust` trusts it as it stands"


@dataclass(frozen=True)
class LeftOut:
    """A folder with a `SKILL.md` that is not used."""

    folder: Path
    reason: str


@dataclass(frozen=True)
class Shelf:
    """Skills by name, in the order of their names, and what is left out."""

    skills: Mapping[str, Skill]
    left_out: tuple[LeftOut, ...] = ()

    def get(self, name: str) -> Skill:
        """The skill of that name.

        Raises:
            UsageError: there is none; the remedy names those there are.
        """
        wanted = name.strip().lower()
        for skill in self.skills.values():
            if skill.name.lower() == wanted:
                return skill
        raise UsageError(f"There is no skill {name!r}.", remedy=f"Skills: {', '.join(self.skills) or 'none'}.")

    @property
    def folders(self) -> tuple[Path, ...]:
        """Where the skills lie that speak of files of their own."""
        return tuple(skill.folder for skill in self.skills.values() if skill.files)

    @property
    def listing(self) -> str:
        """A line for each, for the model; '' for none."""
        return "\n".join(f"- {skill.line}" for skill in self.skills.values())


def find_skills(user: Path, project: Project, library: Path = LIBRARY) -> Shelf:
    """The skills of the package, of the user and of a trusted project; of two with one name the later counts."""
    found: dict[str, Skill] = {}
    left_out: list[LeftOut] = []
    for origin, folder in _folders(library, user, project):
        if origin == "project" and not (project.trusts(folder / FILE) and project.trusts_all(folder)):  # not parsed
            left_out.append(LeftOut(folder, _UNTRUSTED))
            continue
        try:
            skill = read_skill(folder, origin)
        except SkillFault as fault:
            left_out.append(LeftOut(folder, str(fault)))
        else:
            if (hidden := found.get(skill.name)) and hidden.origin == origin:
                left_out.append(LeftOut(hidden.folder, f"another skill has the name {skill.name}, too"))
            found[skill.name] = skill
    return Shelf(dict(sorted(found.items())), tuple(left_out))


def _folders(library: Path, user: Path, project: Project) -> Iterator[tuple[Origin, Path]]:
    places: tuple[tuple[Origin, Path], ...] = (("package", library), ("user", user), ("project", project.skills))
    for origin, place in places:
        # Where somebody else may have put a link, it leads nowhere: trust does not reach what is behind it.
        for folder in _below(place, links=origin != "project"):
            yield origin, folder


def _below(place: Path, *, links: bool) -> Iterator[Path]:
    """Folders with a `SKILL.md`, a few levels deep, each once; a skill is not looked into for others."""
    seen: set[Path] = set()
    for name, folders, files in os.walk(place, followlinks=links):
        folder = Path(name)
        if (real := folder.resolve()) in seen or len(seen) >= _MOST_FOLDERS:
            folders.clear()
            continue
        seen.add(real)
        depth = len(folder.relative_to(place).parts)
        folders[:] = sorted(inner for inner in folders if not inner.startswith(".") and depth < _DEEPEST)
        if FILE in files:
            folders.clear()
            yield folder
