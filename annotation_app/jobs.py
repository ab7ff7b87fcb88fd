"""Define the light worker's Celery tasks: imports, releases, mail, purging deleted projects.

The tasks have a queue of their own, and their worker never imports torch.
"""

from celery import shared_task

from annotation_app.enqueue import RUN_PURGE, TIDY_FILES, TIDY_MAILS
from annotation_app.heartbeat import heartbeat_attach
from annotation_app.ingest.run import ImportRun
from annotation_app.models import Import, Mail, Release
from annotation_app.projects import lifecycle, mail_texts, mails, orphans
from annotation_app.releases.run import ReleaseRun


@shared_task(name=Import.TASK)
def import_run(import_id: int) -> None:
    ImportRun.run(import_id)


@shared_task(name=Release.TASK)
def release_run(release_id: int) -> None:
    ReleaseRun.run(release_id)


@shared_task(name=RUN_PURGE)
def project_purge(project_id: int) -> None:
    lifecycle.project_purge(project_id=project_id)


@shared_task(name=TIDY_FILES)
def files_tidy(_: int) -> None:
    orphans.files_tidy()
    orphans.scratch_tidy()


@shared_task(name=Mail.TASK)
def mail_send(mail_id: int) -> None:
    mail_texts.mail_send(mail_id=mail_id)


@shared_task(name=TIDY_MAILS)
def mails_tidy(_: int) -> None:
    mails.mails_tidy()


heartbeat_attach(
    queue="light",
    hourly=(TIDY_FILES, TIDY_MAILS),
    sweeps={
        Import.TASK: ImportRun.waiting,
        Release.TASK: ReleaseRun.waiting,
        RUN_PURGE: lifecycle.purges_due,
        Mail.TASK: mails.mails_due,
    },
)
