#!/usr/bin/env python
"""Django's command line."""

import os
import sys

from django.core.management import execute_from_command_line

from annotation_app.embedded import adopt, borrow

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation_app.config.settings")
    adopt.adopt()
    if borrow.is_needed(sys.argv):
        sys.exit(borrow.run_with_servers(sys.argv))
    execute_from_command_line(sys.argv)
