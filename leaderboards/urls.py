"""URLs of the leaderboards."""

from django.urls import path

from leaderboards import clubs, views

urlpatterns = [
    path("leaderboards/", views.first_board, name="leaderboards"),
    path("leaderboards/<slug:slug>/", views.board_page, name="leaderboard"),
    path("leaderboards/<slug:slug>/bots/", views.board_page, {"bots": True}, name="leaderboard-bots"),
    path("leaderboards/<slug:slug>/teams/", views.teams, name="leaderboard-teams"),
    path("leaderboards/<slug:slug>/champions/", views.champions, name="champions"),
    path("clubs/<int:club_id>/board/", clubs.club_board, name="club-board"),
    path("leaderboards/<slug:slug>/me/", views.my_place, name="leaderboard-me"),
]
