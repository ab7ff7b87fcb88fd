"""Define the light worker's Celery tasks: imports, releases, mail, webhooks, and deleting what is over.

The tasks have a queue of their own, and their worker never imports torch.
"""

from celery import shared_task

from annotation_app.dashboards import notice_mails
from annotation_app.enqueue import FIND_EVENTS, MAIL_NOTICES, RUN_PURGE, TIDY_FILES, TIDY_MAILS, TIDY_RECORDS
from annotation_app.heartbeat import HOUR_SECONDS, heartbeat_attach
from annotation_app.ingest.run import ImportRun
from annotation_app.models import Delivery, Import, Mail, Release
from annotation_app.personal_data import retention
from annotation_app.projects import lifecycle, mail_texts, mails, orphans
from annotation_app.releases.run import ReleaseRun
from annotation_app.webhooks import finding, sending

FIND_SECONDS = 15.0
NOTICES_SECONDS = 60.0


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


@shared_task(name=TIDY_RECORDS)
def records_tidy(_: int) -> None:
    retention.records_tidy()


@shared_task(name=MAIL_NOTICES)
def notices_mail(_: int) -> None:
    notice_mails.notices_mail()


@shared_task(name=FIND_EVENTS)
def webhooks_find(_: int) -> None:
    finding.deliveries_find()


@shared_task(name=Delivery.TASK)
def webhook_send(delivery_id: int) -> None:
    sending.delivery_send(delivery_id=delivery_id)


heartbeat_attach(
    queue="light",
    regular={
        TIDY_FILES: HOUR_SECONDS,
        TIDY_MAILS: HOUR_SECONDS,
        TIDY_RECORDS: HOUR_SECONDS,
        FIND_EVENTS: FIND_SECONDS,
        MAIL_NOTICES: NOTICES_SECONDS,
    },
    sweeps={
        Import.TASK: ImportRun.waiting,
        Release.TASK: ReleaseRun.waiting,
        RUN_PURGE: lifecycle.purges_due,
        Mail.TASK: mails.mails_due,
        Delivery.TASK: sending.deliveries_due,
    },
)
