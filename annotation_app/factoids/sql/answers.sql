-- Which factoid of the set's lists has a linked sentence in which text.
factoid_texts AS (
  SELECT DISTINCT f.id AS factoid, s.set_text_id AS text
  FROM annotation_app_factoidlist l
  JOIN annotation_app_factoid f ON f.factoid_list_id = l.id
  JOIN annotation_app_factoidsentence k ON k.factoid_id = f.id
  JOIN annotation_app_setsentence s ON s.id = k.sentence_id
  WHERE l.text_set_id = %(text_set)s
),

-- What people have in the lists of the set's closed phases. A rater is the number of the list's owner.
owned_factoids AS (
  SELECT p.id AS phase, p.kind, l.id AS list, m.number AS rater, f.id AS factoid, f.key
  FROM annotation_app_factoidphase p
  JOIN annotation_app_factoidlist l ON l.phase_id = p.id
  JOIN annotation_app_membership m ON m.id = l.owner_id
  JOIN annotation_app_factoid f ON f.factoid_list_id = l.id
  WHERE p.text_set_id = %(text_set)s AND p.closed_at IS NOT NULL
),

-- The texts of a phase: those that the set had when its independent phase was closed.
phase_texts AS (
  SELECT p.id AS phase, t.id AS text
  FROM annotation_app_factoidphase p
  LEFT JOIN annotation_app_factoidphase f ON f.id = p.follows_id
  JOIN annotation_app_settext t
    ON t.text_set_id = p.text_set_id AND t.created_at <= coalesce(f.closed_at, p.closed_at)
  WHERE p.text_set_id = %(text_set)s
),

-- Annotation: an item is a factoid of the given list and a text. Everyone's list has the same keys.
annotation_answers AS (
  SELECT o.phase, o.key AS a, o.key AS b, t.text, o.rater, x.factoid IS NOT NULL AS is_there
  FROM owned_factoids o
  JOIN phase_texts t ON t.phase = o.phase
  LEFT JOIN factoid_texts x ON x.factoid = o.factoid AND x.text = t.text
  WHERE o.kind = 'annotation'
),

-- The newest judgement of each pair of factoids. It is empty where it was withdrawn.
newest_relations AS (
  SELECT DISTINCT ON (r.pairing_id, r.a, r.b)
    q.id AS pairing, q.uuid, q.first_id AS first, q.second_id AS second, r.a, r.b, r.relation
  FROM annotation_app_factoidpairing q
  JOIN annotation_app_factoidrelation r ON r.pairing_id = q.id
  WHERE q.text_set_id = %(text_set)s
  ORDER BY r.pairing_id, r.a, r.b, r.id DESC
),

-- Definition: an item is a text, and a pair of factoids that are equal, or of which one says a part of the other.
definition_answers AS (
  SELECT o.phase, n.pairing, n.uuid, n.relation, n.a, n.b, t.text, o.rater, x.factoid IS NOT NULL AS is_there
  FROM newest_relations n
  CROSS JOIN LATERAL (VALUES (n.first, n.a), (n.second, n.b)) AS side(list, key)
  JOIN owned_factoids o ON o.list = side.list AND o.key = side.key
  JOIN phase_texts t ON t.phase = o.phase
  LEFT JOIN factoid_texts x ON x.factoid = o.factoid AND x.text = t.text
  WHERE n.relation IN ('equal', 'subsumes', 'subsumed')
)
