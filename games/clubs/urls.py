"""Addresses of clubs."""

from django.urls import URLPattern, path

from games.clubs.views import circles, encounters

urlpatterns: list[URLPattern] = [
    path("clubs/<int:club_id>/matches/", encounters.of_club, name="club-matches"),
    path("clubs/<int:club_id>/matches/new/", encounters.challenge, name="club-challenge"),
    path("clubs/matches/<int:encounter_id>/", encounters.page, name="club-match"),
    path("clubs/matches/<int:encounter_id>/answer/", encounters.answer, name="club-match-answer"),
    path("clubs/matches/<int:encounter_id>/withdraw/", encounters.withdraw, name="club-match-withdraw"),
    path("clubs/matches/<int:encounter_id>/play/", encounters.play, name="club-match-play"),
    path("clubs/matches/<int:encounter_id>/line-up/", encounters.line_up, name="club-match-line-up"),
    path("circles/", circles.mine, name="circles"),
    path("circles/new/", circles.new, name="new-circle"),
    path("circles/<int:circle_id>/", circles.page, name="friends"),
    path("circles/<int:circle_id>/answer/", circles.answer, name="friends-answer"),
    path("circles/<int:circle_id>/leave/", circles.leave, name="friends-leave"),
    path("circles/<int:circle_id>/rename/", circles.rename, name="friends-rename"),
    path("circles/<int:circle_id>/table/", circles.table, name="friends-table"),
    path("circles/<int:circle_id>/weekly/", circles.weekly, name="friends-weekly"),
]
