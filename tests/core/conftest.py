from tests.language_model import faulty_proxy as faulty_proxy
from tests.language_model import model_server as model_server
from tests.language_model import tiny_causal as tiny_causal
from tests.models import tiny_modernbert as tiny_modernbert
