"""Tell operators how the service does: figures for Prometheus, logs as JSON, and slow statements."""
