"""The model worker's Celery app: its own queue, one training at a time. The web process never imports this."""

import os

import django
from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation_app.config.settings")
django.setup()

from annotation_app.beat import beat_attach  # noqa: E402  models load only once Django is set up
from annotation_app.rounds.selectors import rounds_to_wake  # noqa: E402
from annotation_app.wake import RUN_ROUND  # noqa: E402

app = Celery("al_worker")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.task_default_queue = "models"
app.conf.include = ["al_worker.tasks"]
app.set_default()
beat_attach(app, queue="models", task=RUN_ROUND, sweep=rounds_to_wake)
