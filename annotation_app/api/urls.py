"""The API's paths, one line each; the routes x roles test walks this list."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView

import annotation_app.api.openapi  # noqa: F401
from annotation_app.api import (
    agreement,
    codebooks,
    export,
    health,
    imports,
    insights,
    labelling,
    members,
    projects,
    prototype,
    rounds,
    session,
    test_set,
)

urlpatterns = [
    path("session/", session.SessionView.as_view()),
    path("me/", session.MeView.as_view()),
    path("health/", health.HealthView.as_view()),
    path("schema/", SpectacularAPIView.as_view()),
    path("projects/", projects.ProjectsView.as_view()),
    path("projects/<uuid:project_id>/", projects.ProjectView.as_view()),
    path("projects/<uuid:project_id>/codebooks/", codebooks.CodebooksView.as_view()),
    path("codebooks/<uuid:codebook_id>/publish/", codebooks.CodebookPublishView.as_view()),
    path("projects/<uuid:project_id>/members/", members.MembersView.as_view()),
    path("members/<uuid:member_id>/", members.MemberView.as_view()),
    path("members/<uuid:member_id>/deactivate/", members.MemberDeactivateView.as_view()),
    path("members/<uuid:member_id>/activate/", members.MemberActivateView.as_view()),
    path("projects/<uuid:project_id>/invites/", members.InvitesView.as_view()),
    path("invites/accept/", members.InviteAcceptView.as_view()),
    path("invites/<str:token>/", members.InviteView.as_view()),
    path("projects/<uuid:project_id>/rounds/", rounds.RoundsView.as_view()),
    path("projects/<uuid:project_id>/workers/", rounds.WorkersView.as_view()),
    path("rounds/<uuid:round_id>/", rounds.RoundDetailView.as_view()),
    path("rounds/<uuid:round_id>/record/", rounds.RoundRecordView.as_view()),
    path("rounds/<uuid:round_id>/restart/", rounds.RoundRestartView.as_view()),
    path("rounds/<uuid:round_id>/cancel/", rounds.RoundCancelView.as_view()),
    path("projects/<uuid:project_id>/next/", labelling.NextView.as_view()),
    path("projects/<uuid:project_id>/assignments/", labelling.DoneView.as_view()),
    path("assignments/<uuid:assignment_id>/", labelling.AssignmentView.as_view()),
    path("assignments/<uuid:assignment_id>/annotations/", labelling.AnnotationsView.as_view()),
    path("assignments/<uuid:assignment_id>/release/", labelling.ReleaseView.as_view()),
    path("projects/<uuid:project_id>/imports/", imports.ImportsView.as_view()),
    path("imports/<uuid:import_id>/", imports.ImportView.as_view()),
    path("projects/<uuid:project_id>/agreement/", agreement.AgreementView.as_view()),
    path("projects/<uuid:project_id>/insights/", insights.InsightsView.as_view()),
    path("projects/<uuid:project_id>/test-set/", test_set.TestSetView.as_view()),
    path("projects/<uuid:project_id>/prototype/", prototype.PrototypeView.as_view()),
    path("projects/<uuid:project_id>/export/", export.ExportView.as_view()),
]
