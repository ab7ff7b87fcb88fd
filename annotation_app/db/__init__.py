"""Compose SQL that is kept in files, and print it for psql."""
