"""Compute the key that orders items of equal score: one rule for every strategy, machine and shard count."""

from hashlib import sha256


def tie_key(random_state: int, number: int, item_id: str) -> str:
    """Return the hex digest that orders items of equal (rounded) score, ascending.

    It depends on the round and the item only, so neither pool order nor library versions can change a batch.
    Ordering the whole pool by it is a uniform sample without replacement.
    """
    return sha256(f"{random_state}:{number}:{item_id}".encode()).hexdigest()


def derived_seed(random_state: int, number: int, purpose: str) -> int:
    """Return a 32-bit seed for one purpose of one round (`head`, `shuffle`, `dropout`, ...).

    It is independent of the seeds for other purposes and rounds.
    """
    return int(sha256(f"{random_state}:{number}:seed:{purpose}".encode()).hexdigest()[:8], 16)
