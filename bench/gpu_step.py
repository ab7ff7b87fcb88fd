"""Run a step of the product when libraries and GPU are ready: `python -m bench.gpu_step STEP RUN_DIR`.

So a step's seconds cover its work, and not the start of Python and CUDA.
"""

import sys

import sklearn.metrics
import torch
import transformers

from al_worker.core.__main__ import main

READY = (sklearn.metrics, transformers.AutoModelForSequenceClassification, transformers.AutoTokenizer)

if __name__ == "__main__":
    if torch.cuda.is_available():
        torch.zeros(1, device="cuda")
    sys.exit(main())
