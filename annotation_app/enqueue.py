"""Send workers the ids of waiting jobs. The jobs are rows in PostgreSQL: a lost message costs seconds, never a job."""

import logging

from celery import Task, current_app
from celery.signals import task_prerun
from kombu.exceptions import OperationalError

from annotation_app.request_ids import HEADER, id_of, name_from_now, request_id

logger = logging.getLogger(__name__)

RUN_PURGE = "annotation_app.jobs.project_purge"
TIDY_MAILS = "annotation_app.jobs.mails_tidy"
TIDY_RECORDS = "annotation_app.jobs.records_tidy"
FIND_EVENTS = "annotation_app.jobs.webhooks_find"
MAIL_NOTICES = "annotation_app.jobs.notices_mail"
TIDY_FILES = "annotation_app.jobs.files_tidy"


@task_prerun.connect
def job_named(task: Task, **_: object) -> None:
    """Log a job under the id of the request that started it, or under one of its own."""
    name_from_now(id_of(task.request.get(HEADER) or ""))


def enqueue(task: str, job_id: int, queue: str, *, expires: float | None = None) -> None:
    """Send the job's id to a queue, by the task's name. After `expires` seconds nobody needs to begin it any more.

    A broker that is down is logged only, because the worker's own sweep finds the job.
    """
    try:
        current_app.send_task(task, args=[job_id], queue=queue, headers={HEADER: request_id()}, expires=expires)
    except OperationalError as error:
        logger.warning("The broker did not take %s(%s): %s. The worker's sweep will find it.", task, job_id, error)
