"""SQL that is kept in files: how it is put together, and how it is printed for psql."""
