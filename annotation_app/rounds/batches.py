"""Find the batches that a round may learn from."""

from annotation_app.models import Batch, CodebookVersion, Project


def usable_batches(project: Project, codebook: CodebookVersion) -> list[Batch]:
    """Return round batches labelled under this codebook version or a compatible earlier one.

    A breaking change retires the batches before it.
    """
    breaking = project.codebooks.filter(compatible=False, version__lte=codebook.version).order_by("-version").first()
    since = breaking.version if breaking else 1
    return list(project.batches.filter(kind=Batch.Kind.ROUND, codebook__version__gte=since))
