"""Serve batches: close one or hand its items over, open the prototype batch, and hold second looks."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import found_or_404, member_or_404, memberships, person
from annotation_app.api.annotators import CheckResultOut
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.inputs import checked, spec_sent
from annotation_app.api.rounds import RoundAnnotator, round_of_my_project
from annotation_app.assignment.adding import FIRST_PRIORITY, LAST_PRIORITY, batch_priority_set, person_add
from annotation_app.assignment.closing import batch_close, batch_open_items, batch_reopen, items_hand_over
from annotation_app.assignment.taking_off import person_put_back, person_take_off
from annotation_app.dashboards.annotators import batch_checks
from annotation_app.models import Batch, Capability, Project
from annotation_app.rounds.outside import chosen_batches
from annotation_app.rounds.prototype import PrototypeSpec, prototype_open, prototype_reasons, prototype_view
from annotation_app.rounds.second_look import second_look_close, second_look_open, second_looks


class TakerOut(serializers.Serializer):
    id = serializers.UUIDField(source="member.uuid")
    display_name = serializers.CharField(source="member.user.shown_name")
    items = serializers.IntegerField()
    is_admin = serializers.BooleanField(help_text="An admin may have looked at the others' answers.")


class PersonLeft(serializers.Serializer):
    id = serializers.UUIDField(source="member.uuid")
    display_name = serializers.CharField(source="member.user.shown_name")
    is_active = serializers.BooleanField(source="member.is_active")
    done = serializers.IntegerField()
    open = serializers.IntegerField()
    withdrawn = serializers.IntegerField(help_text="Withdrawn items that could be given back to them.")
    takers = TakerOut(many=True, help_text="Who could take over how many of the open items.")


class RestOut(serializers.Serializer):
    id = serializers.UUIDField(source="batch.uuid")
    kind = serializers.ChoiceField(source="batch.kind", choices=Batch.Kind.choices)
    number = serializers.IntegerField(source="batch.number")
    annotators_per_item = serializers.IntegerField(source="batch.annotators_per_item")
    closed_at = serializers.DateTimeField(source="batch.closed_at", allow_null=True)
    frozen_at = serializers.DateTimeField(source="batch.frozen_at", allow_null=True)
    open = serializers.IntegerField(help_text="Assignments that closing would withdraw.")
    short = serializers.IntegerField(help_text="Items with fewer answers than the batch gives an item.")
    unanswered = serializers.IntegerField(help_text="Those of them without any.")
    people = PersonLeft(many=True)
    joiners = TakerOut(many=True, help_text="Who could be added for how many items.")
    priority = serializers.IntegerField(source="batch.priority", help_text="From 1, which is handed out first, to 9.")


def batch_of_my_project(request: Request, batch_id: UUID) -> Batch:
    return found_or_404(request, Batch.objects.all(), batch_id)


def serialize_open_items(batch: Batch) -> Response:
    batch.refresh_from_db(fields=["closed_at", "frozen_at", "priority"])
    return Response(RestOut(batch_open_items(batch)).data)


class BatchRestView(APIView):
    @extend_schema(responses={200: RestOut, **ADMIN_ERRORS})
    def get(self, request: Request, batch_id: UUID) -> Response:
        """Return what is open in a batch, whose it is, and who could take it over."""
        return serialize_open_items(batch_of_my_project(request, batch_id))


class CheckedPersonOut(CheckResultOut):
    id = serializers.UUIDField(source="member.uuid")
    display_name = serializers.CharField(source="member.user.shown_name")


class BatchChecksOut(serializers.Serializer):
    size = serializers.IntegerField(help_text="Check items of the batch.")
    is_hidden = serializers.BooleanField(help_text="The reader can still answer or revise in the batch.")
    people = CheckedPersonOut(many=True, help_text="Whoever was given a check item; none where it is hidden.")


class BatchChecksView(APIView):
    @extend_schema(responses={200: BatchChecksOut, **ADMIN_ERRORS})
    def get(self, request: Request, batch_id: UUID) -> Response:
        """Return how the people of a batch did with its check items."""
        batch = batch_of_my_project(request, batch_id)
        checks = batch_checks(memberships(request).get(project=batch.project_id), batch)
        return Response(BatchChecksOut(checks).data)


class BatchCloseView(APIView):
    @extend_schema(request=None, responses={200: RestOut, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, batch_id: UUID) -> Response:
        """Withdraw what is not answered, so that the next round can start."""
        batch = batch_of_my_project(request, batch_id)
        batch_close(batch=batch, actor=person(request))
        return serialize_open_items(batch)


class BatchReopenView(APIView):
    @extend_schema(request=None, responses={200: RestOut, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, batch_id: UUID) -> Response:
        """Give the withdrawn items of a closed batch back to the people who had them."""
        batch = batch_of_my_project(request, batch_id)
        batch_reopen(batch=batch, actor=person(request))
        return serialize_open_items(batch)


class BatchHandOverView(APIView):
    class HandOverIn(serializers.Serializer):
        giver = serializers.UUIDField()
        taker = serializers.UUIDField()

    @extend_schema(request=HandOverIn, responses={200: RestOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, batch_id: UUID) -> Response:
        """Give one person's open items to another who has not had them. Both are ids of members."""
        batch = batch_of_my_project(request, batch_id)
        data = checked(self.HandOverIn, request.data)
        items_hand_over(batch=batch, actor=person(request), **data)
        return serialize_open_items(batch)


class BatchPersonView(APIView):
    """Take a person off a batch or put them back on it; the path says which."""

    service: Callable[..., int]

    class PersonIn(serializers.Serializer):
        person = serializers.UUIDField(help_text="The id of a member.")

    @extend_schema(request=PersonIn, responses={200: RestOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, batch_id: UUID) -> Response:
        batch = batch_of_my_project(request, batch_id)
        data = checked(self.PersonIn, request.data)
        type(self).service(batch=batch, actor=person(request), **data)
        return serialize_open_items(batch)


class BatchTakeOffView(BatchPersonView):
    """Withdraw what a person has not answered. Their answers stay."""

    service = staticmethod(person_take_off)


class BatchPutBackView(BatchPersonView):
    """Give a person back what was withdrawn from them and nobody else got."""

    service = staticmethod(person_put_back)


class BatchAddPersonView(BatchPersonView):
    """Let one more person answer what still waits for an answer."""

    service = staticmethod(person_add)


class BatchPriorityView(APIView):
    class PriorityIn(serializers.Serializer):
        priority = serializers.IntegerField(min_value=FIRST_PRIORITY, max_value=LAST_PRIORITY)

    @extend_schema(request=PriorityIn, responses={200: RestOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, batch_id: UUID) -> Response:
        """Say when the batch is handed out among a person's open batches: the lowest number first."""
        batch = batch_of_my_project(request, batch_id)
        data = checked(self.PriorityIn, request.data)
        batch_priority_set(batch=batch, actor=person(request), **data)
        return serialize_open_items(batch)


class OutsideBatchOut(serializers.Serializer):
    id = serializers.UUIDField(source="row.uuid")
    closed_at = serializers.DateTimeField(source="row.closed_at", allow_null=True)
    frozen_at = serializers.DateTimeField(source="row.frozen_at", allow_null=True)
    number = serializers.IntegerField(source="row.number")
    size = serializers.IntegerField(source="progress.size")
    done = serializers.IntegerField(source="progress.done")
    total = serializers.IntegerField(source="progress.total")
    complete = serializers.BooleanField(source="progress.complete")
    n_checks = serializers.IntegerField(source="progress.checks", help_text="Check items, which `size` leaves out.")
    random_state = serializers.IntegerField(source="row.random_state", allow_null=True)
    annotators_per_item = serializers.IntegerField(source="row.annotators_per_item")
    annotators = RoundAnnotator(many=True)


class PrototypePage(serializers.Serializer):
    batch = OutsideBatchOut(allow_null=True)
    may_open = serializers.BooleanField()
    reasons = serializers.ListField(child=serializers.CharField())


def serialize_prototype_page(project: Project) -> dict[str, Any]:
    reasons = [reason for _, reason in prototype_reasons(project)]
    return PrototypePage({"batch": prototype_view(project), "may_open": not reasons, "reasons": reasons}).data


class ChosenBatchesView(APIView):
    @extend_schema(responses={200: OutsideBatchOut(many=True), **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """List the batches of chosen items that are not frozen yet, the newest first."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        return Response(OutsideBatchOut(chosen_batches(project), many=True).data)


class PrototypeView(APIView):
    @extend_schema(responses={200: PrototypePage, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """Return the prototype batch, and why none can be opened now."""
        return Response(serialize_prototype_page(member_or_404(request, project_id, Capability.MANAGE).project))

    @extend_schema(
        request=PrototypeSpec, responses={201: PrototypePage, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS}
    )
    def post(self, request: Request, project_id: UUID) -> Response:
        """Draw items at random and open the prototype batch."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        spec = spec_sent(PrototypeSpec, request.data)
        prototype_open(project=project, spec=spec, actor=person(request))
        return Response(serialize_prototype_page(project), status=status.HTTP_201_CREATED)


class SecondLookOut(serializers.Serializer):
    size = serializers.IntegerField(source="progress.size")
    done = serializers.IntegerField(source="progress.done", help_text="Assignments answered or skipped.")
    total = serializers.IntegerField(source="progress.total")
    complete = serializers.BooleanField(source="progress.complete")
    closed = serializers.BooleanField(help_text="Nothing of it changes any more.")
    annotators = RoundAnnotator(many=True)


class LookPlaceOut(serializers.Serializer):
    round_id = serializers.UUIDField(source="row.uuid")
    number = serializers.IntegerField(source="row.number")
    size = serializers.IntegerField(help_text="Items in the round's batch.")
    n_differing = serializers.IntegerField(help_text="Of these, items on which independent answers differ.")
    second_look = SecondLookOut(source="look", allow_null=True)
    may_open = serializers.SerializerMethodField()
    reason = serializers.SerializerMethodField(help_text="Why none may be opened now; empty where one may.")

    def get_may_open(self, place: Any) -> bool:
        return place.reason is None

    def get_reason(self, place: Any) -> str:
        return place.reason[1] if place.reason else ""


class SecondLooksOut(serializers.Serializer):
    rounds = LookPlaceOut(many=True)


def serialize_second_looks(project: Project) -> dict[str, Any]:
    return SecondLooksOut({"rounds": second_looks(project)}).data


class SecondLooksView(APIView):
    @extend_schema(responses={200: SecondLooksOut, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """List every round with a batch: on how many of its items people differ, and its second look."""
        return Response(serialize_second_looks(member_or_404(request, project_id, Capability.MANAGE).project))


class SecondLookActView(APIView):
    """Open or close a second look; the path says which."""

    service: Callable[..., Batch]
    success: int = status.HTTP_200_OK

    @extend_schema(request=None, responses={200: SecondLooksOut, 201: SecondLooksOut, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, round_id: UUID) -> Response:
        row = round_of_my_project(request, round_id)
        type(self).service(row=row, actor=person(request))
        return Response(serialize_second_looks(row.project), status=self.success)


class SecondLookOpenView(SecondLookActView):
    """Freeze the round's batch and hand out the items on which people differ once more."""

    service = staticmethod(second_look_open)
    success = status.HTTP_201_CREATED


class SecondLookCloseView(SecondLookActView):
    """End a second look. Whoever answered nothing in it keeps their first answer."""

    service = staticmethod(second_look_close)
