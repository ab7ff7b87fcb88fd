"""Read the judgements that count. The SQL of agreement reads them by the same rule (`sql/answers.sql`)."""

from django.db.models import QuerySet

from annotation_app.models import FactoidRelation


def newest_relations(rows: QuerySet[FactoidRelation]) -> QuerySet[FactoidRelation]:
    """Return the newest judgement of each pair of factoids, without those that were withdrawn."""
    newest = rows.order_by("pairing", "a", "b", "-pk").distinct("pairing", "a", "b")
    return FactoidRelation.objects.filter(pk__in=newest.values("pk")).exclude(relation="").order_by("pk")
