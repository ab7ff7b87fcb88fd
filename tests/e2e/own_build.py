"""The product's settings, with a built front end that a test may replace, as a new version does."""

import os
from pathlib import Path

from annotation_app.config.settings import *  # noqa: F403

FRONTEND_DIST = WHITENOISE_ROOT = Path(os.environ["QUORUM_TEST_DIST"])
