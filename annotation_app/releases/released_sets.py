"""Write the text sets that were chosen for a release, each in a folder of its own, and say so in its card."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.text import slugify

from annotation_app.models import Project, Release, TextSet
from annotation_app.releases.dates import Dates
from annotation_app.releases.factoid_folder import HOLDS, set_read, set_write, table_markdown
from annotation_app.releases.factoid_records import FIELDS
from annotation_app.releases.folder import Folder

RECORDS = re.compile(r"factoids/(?P<folder>[^/]+)/(?P<kind>[a-z]+)\.jsonl")
LIST = re.compile(r"factoids/[^/]+/lists/[^/]+\.json")


@dataclass(frozen=True)
class ReleasedSet:
    """Hold what a release says of one set. `agreement` is Markdown, `dates` are fields of only dates by file."""

    name: str
    folder: str
    n_texts: int
    n_factoids: int
    agreement: str
    dates: Mapping[str, list[str]]


def text_sets_write(folder: Folder, release: Release) -> Iterator[ReleasedSet]:
    """Write the files of the sets that were chosen. The caller holds one snapshot."""
    names = folders_of(release.project)
    for text_set in release.project.text_sets.filter(uuid__in=release.text_sets).order_by("pk"):
        files, own = set_read(text_set), names[text_set.pk]
        set_write(folder, files, under=f"factoids/{own}/")
        watched = {kind: Dates(FIELDS[kind]) for kind in files.records}
        for kind, records in files.records.items():
            for record in records:
                watched[kind].see(record)
        yield ReleasedSet(
            name=text_set.name,
            folder=own,
            n_texts=len(files.records["texts"]),
            n_factoids=len(files.records["factoids"]),
            agreement=table_markdown(files.agreement),
            dates={f"factoids/{own}/{kind}.jsonl": watch.found for kind, watch in watched.items() if watch.found},
        )


def folders_of(project: Project) -> dict[int, str]:
    """Return the folder of each set by its row; the later of two alike has a number after its name."""
    taken: dict[str, int] = {}
    for pk, name in TextSet.objects.filter(project=project).order_by("pk").values_list("pk", "name"):
        plain = slugify(name) or "text-set"
        others = (f"{plain}-{number}" for number in range(2, len(taken) + 3))
        taken[next(each for each in (plain, *others) if each not in taken)] = pk
    return {pk: folder for folder, pk in taken.items()}


@dataclass(frozen=True)
class SetConfig:
    """Hold one configuration: a file of records of a set."""

    path: str
    folder: str
    kind: str

    @property
    def name(self) -> str:
        return f"{self.folder}-{self.kind}"

    @property
    def loading(self) -> str:
        """Return the line of Python that loads it."""
        return f'{self.kind}_{self.folder.replace("-", "_")} = load_dataset(folder, "{self.name}", split="train")'


def set_config(path: str) -> SetConfig | None:
    """Return the configuration of a file; None where the file is no file of a set's records."""
    match = RECORDS.fullmatch(path)
    return match and SetConfig(path, **match.groupdict())


def set_file_description(path: str) -> str:
    """Say what a file of a text set holds; empty for any other file."""
    if LIST.fullmatch(path):
        return "A factoid list, as the import of lists takes it"
    config = set_config(path)
    return f"{HOLDS[config.kind]} (configuration `{config.name}`)" if config else ""
