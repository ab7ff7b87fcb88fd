"""Wire everything together; no other package imports this one.

Loading it makes the Celery app current, so that jobs can be sent by name.
"""

from annotation_app.config.celery import app as celery_app

__all__ = ["celery_app"]
