"""Train models that generate a target from a source, let them generate, and score continuations with them."""
