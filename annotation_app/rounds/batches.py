"""Which batches a round may learn from."""

from annotation_app.models import Batch, CodebookVersion, Project


def usable_batches(project: Project, codebook: CodebookVersion) -> list[Batch]:
    """Round batches labelled under this version or a compatible earlier one: a breaking change retires the older."""
    breaking = project.codebooks.filter(compatible=False, version__lte=codebook.version).order_by("-version").first()
    since = breaking.version if breaking else 1
    return list(project.batches.filter(kind=Batch.Kind.ROUND, codebook__version__gte=since))
