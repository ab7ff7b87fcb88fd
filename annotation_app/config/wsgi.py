"""The web server's entry point."""

import os
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation_app.config.settings")

application = get_wsgi_application()

# Loaded before the server forks: once for all its processes, and never while the first person waits.
import_module(settings.ROOT_URLCONF)
