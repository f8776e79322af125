"""Addresses of reports and warnings; what moderators do is in the admin."""

from django.urls import path

from games.moderation import views

urlpatterns = [
    path("report/", views.report_page, name="report"),
    path("warnings/<int:sanction_id>/read/", views.read_warning, name="read-warning"),
]
