"""Define the light worker's Celery app, which never loads torch. The model worker has its own (`al_worker.app`)."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation_app.config.settings")

app = Celery("quorum")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.include = ["annotation_app.jobs"]
app.set_default()
