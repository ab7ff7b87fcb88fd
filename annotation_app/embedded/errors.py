"""What can go wrong before Django runs."""


class LaunchError(RuntimeError):
    """A sentence for the person at the terminal: what is wrong, where, and how to mend it."""

    exit_status = 1


class PortBusy(LaunchError):
    exit_status = 2


class AlreadyRunning(LaunchError):
    exit_status = 2


class OtherMajorVersion(LaunchError):
    """The data folder was written by a PostgreSQL of another major version."""


class StopRequested(Exception):
    """A stop signal arrived while waiting."""
