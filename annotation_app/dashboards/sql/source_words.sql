-- Whitespace tokens of source documents, as they were counted when they were imported.
SELECT uuid, n_words FROM annotation_app_sourcedocument WHERE uuid = ANY(%(uuids)s)
