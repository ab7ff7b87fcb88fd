"""The model worker's Celery app, with a queue of its own and one training at a time.

The web process never imports it.
"""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation_app.config.settings")

app = Celery("al_worker")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.task_default_queue = "models"
app.conf.include = ["al_worker.tasks"]
app.set_default()
