-- How many messages of a flag's thread, by others, a person has not seen yet.
CREATE FUNCTION rules.unread_messages(flag bigint, reader bigint) RETURNS integer
LANGUAGE sql STABLE
RETURN (
  SELECT count(*) FILTER (WHERE later.author_id <> reader)::integer
  FROM (
    SELECT m.author_id
    FROM annotation_app_flagmessage m
    WHERE m.flag_id = flag
    ORDER BY m.id
    OFFSET coalesce((
      SELECT s.n_seen FROM annotation_app_flagread s WHERE s.flag_id = flag AND s.reader_id = reader
    ), 0)
  ) later
)
