"""Define the errors that can occur before Django runs."""


class LaunchError(RuntimeError):
    """Tell the person at the terminal what is wrong, where, and how to fix it."""

    exit_status = 1


class PortBusy(LaunchError):
    """Signal that the web server's port is taken or cannot be used."""

    exit_status = 2


class AlreadyRunning(LaunchError):
    """Signal that another launcher runs on the same state folder."""

    exit_status = 2


class OtherMajorVersion(LaunchError):
    """Signal that a PostgreSQL of another major version wrote the data folder."""


class StopRequested(Exception):
    """Signal that a stop signal arrived during a wait."""
