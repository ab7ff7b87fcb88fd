"""The API's paths, one line each; the routes x roles test walks this list."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView

from annotation_app.api import codebooks, health, session

urlpatterns = [
    path("session/", session.SessionView.as_view()),
    path("me/", session.MeView.as_view()),
    path("health/", health.HealthView.as_view()),
    path("schema/", SpectacularAPIView.as_view()),
    path("projects/<uuid:project_id>/codebooks/", codebooks.CodebooksView.as_view()),
    path("codebooks/<uuid:codebook_id>/publish/", codebooks.CodebookPublishView.as_view()),
]
