"""Serve the prompts of a project, and the approval of language models that its texts go to."""

from typing import Any
from uuid import UUID

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from al_worker.formats.providers import PROVIDERS
from annotation_app.api.access import member_or_404, person
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.inputs import MOST, checked
from annotation_app.codebook.definition import codebook_of
from annotation_app.dashboards.items.page import item_after
from annotation_app.evaluation.gold import gold_labels
from annotation_app.evaluation.language_models import approval_give, approval_take
from annotation_app.evaluation.prompts import MAX_TEMPLATE, prompt_numbered, prompt_preview, prompt_save
from annotation_app.evaluation.questions import Question, evaluated_codebook, not_evaluated
from annotation_app.evaluation.selectors import language_model_view, questions_evaluated
from annotation_app.evaluation.spec import MAX_EXAMPLES, GoldSource
from annotation_app.models import Capability, Item, Project
from annotation_app.refusals import Invalid, NotYours

PROVIDER_KINDS = tuple(PROVIDERS)
# Examples and the first labelled item of a preview come from so many items.
PREVIEW_ITEMS = 200


class ApprovalOut(serializers.Serializer):
    by = serializers.CharField()
    at = serializers.DateTimeField()


class LanguageModelOut(serializers.Serializer):
    name = serializers.CharField()
    title = serializers.CharField()
    kind = serializers.ChoiceField(choices=PROVIDER_KINDS)
    model = serializers.CharField()
    destination = serializers.CharField(allow_blank=True, help_text="The host that texts are sent to.")
    is_remote = serializers.BooleanField()
    price_in = serializers.FloatField(allow_null=True, help_text="For a million tokens.")
    price_out = serializers.FloatField(allow_null=True)
    currency = serializers.CharField()
    approved = ApprovalOut(allow_null=True)
    problem = serializers.CharField(allow_blank=True, help_text="Why it cannot be used.")


class PromptVersionOut(serializers.Serializer):
    number = serializers.IntegerField()
    created_by = serializers.CharField(source="created_by.shown_name")
    created_at = serializers.DateTimeField()


class StagePromptsOut(serializers.Serializer):
    stage = serializers.CharField()
    number = serializers.IntegerField(help_text="Of the newest version; 0 is the default.")
    template = serializers.CharField()
    default_template = serializers.CharField()
    versions = PromptVersionOut(many=True)


class PromptOut(serializers.Serializer):
    stage = serializers.CharField()
    number = serializers.IntegerField()
    template = serializers.CharField()


class TemplateFaultOut(serializers.Serializer):
    line = serializers.IntegerField()
    column = serializers.IntegerField()
    message = serializers.CharField()


class PreviewItem(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    external_id = serializers.CharField()


class PromptPreviewOut(serializers.Serializer):
    item = PreviewItem(allow_null=True, help_text="Null: the project has no item yet.")
    prompt = serializers.CharField(allow_null=True)
    faults = TemplateFaultOut(many=True)
    warnings = serializers.ListField(
        child=serializers.CharField(), help_text="What the model is not shown. Such a template can be saved."
    )
    next_item = serializers.UUIDField(
        allow_null=True, help_text="The one after it of those that people were given; the first after the last."
    )


class Template(serializers.Serializer):
    stage = serializers.CharField(max_length=64)
    template = serializers.CharField(max_length=MAX_TEMPLATE, trim_whitespace=False, allow_blank=True)


class PromptIn(Template):
    base_number = serializers.IntegerField(min_value=0, max_value=MOST)


class PromptPreviewIn(Template):
    examples = serializers.IntegerField(min_value=0, max_value=MAX_EXAMPLES, required=False, default=0)
    item = serializers.UUIDField(required=False, allow_null=True, default=None)


def question_named(project: Project, stage: str) -> Question:
    questions = questions_evaluated(project)
    if stage not in questions:
        raise Invalid({"stage": [not_evaluated(codebook_of(evaluated_codebook(project)), stage)]})
    return questions[stage]


class PromptsView(APIView):
    @extend_schema(request=PromptIn, responses={201: PromptOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, project_id: UUID) -> Response:
        """Save a template that was written from version `base_number`, as the next one."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        given = checked(PromptIn, request.data)
        row = prompt_save(
            project=project,
            question=question_named(project, given["stage"]),
            template=given["template"],
            base_number=given["base_number"],
            actor=person(request),
        )
        return Response(PromptOut(row).data, status=status.HTTP_201_CREATED)


class PromptView(APIView):
    @extend_schema(responses={200: PromptOut, 409: ErrorBody, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID, stage: str, number: int) -> Response:
        """Return one version of a stage's prompt; number 0 is the default."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        questions = questions_evaluated(project)
        if stage not in questions:
            raise NotYours
        found, template = prompt_numbered(project, questions[stage], number)
        return Response(PromptOut({"stage": stage, "number": found, "template": template}).data)


class PromptPreviewView(APIView):
    @extend_schema(
        request=PromptPreviewIn, responses={200: PromptPreviewOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS}
    )
    def post(self, request: Request, project_id: UUID) -> Response:
        """Fill a template with an item: the named one, or the first that has a label. Nothing is saved."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        given = checked(PromptPreviewIn, request.data)
        question = question_named(project, given["stage"])
        labelled = labelled_items(project, question)
        item = get_object_or_404(project.items, uuid=given["item"]) if given["item"] else first_item(project, labelled)
        preview = prompt_preview(
            question=question,
            template=given["template"],
            item=item,
            labelled=[(each.external_id, each.text, label) for each, label in labelled],
            examples=given["examples"],
        )
        after = item and item_after(project=project, item=item)
        return Response(PromptPreviewOut({**vars(preview), "next_item": after and after.uuid}).data)


def labelled_items(project: Project, question: Question) -> list[tuple[Item, str]]:
    version = evaluated_codebook(project)
    gold = gold_labels(project=project, source=GoldSource(kind="labels"), version=version, stages=[question.key])
    labels = {each.item_id: each.label for each in gold[question.key].labels[:PREVIEW_ITEMS]}
    items = project.items.in_bulk(list(labels))
    return [(items[pk], label) for pk, label in labels.items()]


def first_item(project: Project, labelled: list[tuple[Item, str]]) -> Item | None:
    return labelled[0][0] if labelled else project.items.filter(left_out="").order_by("pk").first()


class LanguageModelApprovalView(APIView):
    class ApprovalIn(serializers.Serializer):
        destination = serializers.CharField(max_length=300)

    @extend_schema(
        request=ApprovalIn, responses={201: LanguageModelOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS}
    )
    def post(self, request: Request, project_id: UUID, name: str) -> Response:
        """Confirm that the project's texts go to this destination."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        given: dict[str, Any] = checked(self.ApprovalIn, request.data)
        offered = approval_give(project=project, model=name, destination=given["destination"], actor=person(request))
        return Response(LanguageModelOut(language_model_view(offered)).data, status=status.HTTP_201_CREATED)

    @extend_schema(responses={200: LanguageModelOut, **ADMIN_ERRORS})
    def delete(self, request: Request, project_id: UUID, name: str) -> Response:
        """Take the approval of the model back."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        offered = approval_take(project=project, model=name, actor=person(request))
        return Response(LanguageModelOut(language_model_view(offered)).data)
