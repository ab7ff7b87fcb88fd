"""Write a text set with its closed work as a folder of files that `datasets` loads, packed as a ZIP file."""

from datetime import datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from django.template import Context, Engine, Template
from django.utils import timezone
from django.utils.text import slugify

from al_worker.formats.plurals import several
from annotation_app.aggregation.planner import one_snapshot
from annotation_app.factoids.events import event_of
from annotation_app.models import TextSet, User, event_write
from annotation_app.releases.factoid_folder import HOLDS, SetFiles, set_read, set_write, table_markdown
from annotation_app.releases.factoid_records import FIELDS
from annotation_app.releases.features import features
from annotation_app.releases.folder import CARD, Folder, folder_zip
from annotation_app.releases.head import size_of, yaml_block
from annotation_app.releases.markdown import code, inline

TEMPLATES = Path(__file__).parent / "templates"


def text_set_zip(*, text_set: TextSet, actor: User) -> tuple[str, BinaryIO]:
    """Return the name and the open ZIP file of a set, as it was at one moment. Names are pseudonyms.

    The audit log notes who exported it.
    """
    root = f"{slugify(text_set.name) or 'text-set'}-factoids"
    with one_snapshot():
        files, day = set_read(text_set), timezone.now()
    with TemporaryDirectory(prefix="factoids-") as place:
        folder, packed = Folder(Path(place) / "folder"), Path(place) / "set.zip"
        set_write(folder, files)
        folder.write(CARD, [card_markdown(text_set, files, day).encode()])
        folder_zip(folder, packed, root=root)
        # The open file can be read after its name is gone.
        opened = packed.open("rb")
    event_write(
        verb="export_made",
        **event_of(text_set, actor),
        kind="factoids",
        file=f"{root}.zip",
        lines=sum(map(len, files.records.values())),
        names=False,
    )
    return f"{root}.zip", opened


def card_markdown(text_set: TextSet, files: SetFiles, day: datetime) -> str:
    """Return the dataset card, with the YAML head by which `datasets` loads the files."""
    # An empty file cannot be loaded.
    configs = [name for name, records in files.records.items() if records]
    head = {
        "pretty_name": text_set.name,
        "license": "unknown",
        "size_categories": [size_of(len(files.records["factoids"]))],
        "configs": [
            {"config_name": name, "data_files": f"{name}.jsonl"} | ({"default": True} if name == "factoids" else {})
            for name in configs
        ],
        "dataset_info": [{"config_name": name, "features": features(FIELDS[name])} for name in configs],
    }
    rows = [
        f"| {code(f'{name}.jsonl')} | {HOLDS[name]} | {len(records):,} |" for name, records in files.records.items()
    ]
    parts = {
        "head": yaml_block(head),
        "title": inline(text_set.name),
        "n_texts": several(len(files.records["texts"]), "text"),
        "day": f"{day:%d %B %Y}".removeprefix("0"),
        "configs": configs,
        "files": "\n".join(["| File | What it holds | Lines |", "|---|---|---:|", *rows]),
        "agreement": table_markdown(files.agreement),
    }
    return template().render(Context(parts, autoescape=False)).strip() + "\n"


@cache
def template() -> Template:
    return Engine(dirs=[str(TEMPLATES)], autoescape=False).get_template("factoid_set.md")
