"""Say why a backup cannot be made, read or restored."""


class BackupFault(Exception):
    """Signal that a backup cannot be made, read or restored. The message says why, and what to do."""
