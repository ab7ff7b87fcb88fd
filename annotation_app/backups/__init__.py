"""Back up the database and the stored files as one archive, and restore them."""
