from tests.interpretation.tiny_generators import tiny_bart as tiny_bart
from tests.interpretation.tiny_generators import tiny_bert as tiny_bert
from tests.interpretation.tiny_generators import tiny_folders as tiny_folders
from tests.models import tiny_modernbert as tiny_modernbert
