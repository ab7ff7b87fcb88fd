"""Train systems that interpret sources, let them generate and score, and describe them, on files."""
