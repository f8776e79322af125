"""Addresses of tournaments."""

from django.urls import path

from games.competitions.views import announcing, lists, managing, page, taking_part, webhooks

urlpatterns = [
    path("tournaments/", lists.tournaments, name="tournaments"),
    path("tournaments/new/", announcing.new_tournament, name="new-tournament"),
    path("tournaments/rules/", lists.rules, name="tournament-rules"),
    path("tournaments/link/<str:token>/", page.by_link, name="tournament-link"),
    path("tournaments/<int:tournament_id>/", page.page, name="tournament"),
    path("tournaments/<int:tournament_id>/record/", page.record, name="tournament-record"),
    path("tournaments/<int:tournament_id>/enter/", taking_part.enter, name="tournament-enter"),
    path("tournaments/<int:tournament_id>/withdraw/", taking_part.withdraw, name="tournament-withdraw"),
    path("tournaments/<int:tournament_id>/ready/", taking_part.ready, name="tournament-ready"),
    path("tournaments/<int:tournament_id>/place/", taking_part.place, name="tournament-place"),
    path("tournaments/<int:tournament_id>/manage/", managing.manage, name="tournament-manage"),
    path("tournaments/<int:tournament_id>/webhooks/", webhooks.webhooks, name="tournament-webhooks"),
]
