"""Define the stopping signals in words, with their thresholds. `signals` measures them."""

from dataclasses import dataclass

WINDOW = 3
UNCERTAINTY = 0.05
CHANGED_SHARE = 0.01
KAPPA = 0.95
DELTA_F = 0.05
P_VALUE = 0.05
AGREEMENT_FLOOR = 0.4
AGREEMENT_WINDOW = 2
# With fewer, a single item moves a share or alpha by tenths, and nothing is called reached.
FEWEST_ITEMS = 20


@dataclass(frozen=True)
class Declared:
    """Declare a signal. `threshold` is compared with the values, or with their mean where the definition says so."""

    key: str
    title: str
    threshold: float
    definition: str


OVERALL_UNCERTAINTY = Declared(
    "overall_uncertainty",
    "Overall uncertainty",
    UNCERTAINTY,
    "Mean over the whole pool of the entropy of the model's prediction, divided by ln C: 0 is sure of everything, 1 is "
    f"guessing. Reached below {UNCERTAINTY}. Fine-tuned models are overconfident, so that it can come early "
    "(Zhu et al. 2008).",
)
SELECTED_UNCERTAINTY = Declared(
    "selected_uncertainty",
    "Selected uncertainty",
    UNCERTAINTY,
    "The same mean over the items of the batch alone: once even those that were chosen are clear to the model, it "
    f"learns little from them. Reached below {UNCERTAINTY} (Zhu et al. 2008).",
)
CLASSIFICATION_CHANGE = Declared(
    "classification_change",
    "Classification change",
    CHANGED_SHARE,
    "Share of a fixed random set of pool items whose predicted label differs from the one of the model before; items "
    "that either model was trained on are left out. "
    f"Reached at {CHANGED_SHARE} or less. Each round trains from the pretrained weights, which alone moves some.",
)
KAPPA_AVERAGE = Declared(
    "kappa_average",
    "Stabilising predictions",
    KAPPA,
    "Cohen's kappa between the predictions of successive models on a fixed random set of pool items, without those "
    "that either model was trained on. Reached once the "
    f"mean of the last {WINDOW} is {KAPPA} or more (Bloodgood and Vijay-Shanker 2009 ask for 0.99).",
)
CHANGE_IN_F = Declared(
    "delta_f",
    "Change in F",
    DELTA_F,
    "1 - 2a / (2a + b + c) on the same fixed set: a items are positive for both successive models, b and c for one of "
    f"them only. Reached once the last {WINDOW} are all below {DELTA_F} (Altschuler and Bloodgood 2019). Undefined "
    "where neither model predicts a positive.",
)
YIELD_EXHAUSTION = Declared(
    "yield_exhaustion",
    "Yield exhaustion",
    P_VALUE,
    f"p-value of the one-sided binomial test that the last {WINDOW} chosen batches hold no larger share of positives "
    f"than the base rate. Reached above {P_VALUE} where the share is not above the base rate: choosing no "
    f"longer finds more than chance would. It takes {FEWEST_ITEMS} items with a majority. The base rate is itself an "
    "estimate, taken as known here.",
)
BUDGET = Declared(
    "budget",
    "Budget",
    0,
    "Items of the annotation budget left after each round; the prototype batch costs none. Reached at 0.",
)
HUMAN_CEILING = Declared(
    "human_ceiling",
    "Human ceiling",
    AGREEMENT_FLOOR,
    f"Krippendorff's alpha of each batch, over all its items. Reached once the last {AGREEMENT_WINDOW} complete "
    f"batches are below {AGREEMENT_FLOOR}: what is left in the pool divides people, and a model learns noise from it. "
    f"It takes {FEWEST_ITEMS} items with two answers in each.",
)
