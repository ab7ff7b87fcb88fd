from tests.models import tiny_modernbert as tiny_modernbert
