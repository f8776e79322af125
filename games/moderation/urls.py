"""Addresses of reports, sanctions and figures; what moderators do is in the admin."""

from django.urls import path

from games.moderation import views

urlpatterns = [
    path("report/", views.report_page, name="report"),
    path("reports/", views.my_reports, name="my-reports"),
    path("sanctions/<int:sanction_id>/", views.sanction_page, name="sanction"),
    path("closed/<str:token>/", views.closed_account, name="closed-account"),
    path("moderation/", views.figures_page, name="figures"),
    path("warnings/<int:sanction_id>/read/", views.read_warning, name="read-warning"),
]
