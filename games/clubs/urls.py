"""Addresses of clubs."""

from django.urls import path

from games.clubs.views import chat, circles, encounters, lists, managing, page, taking_part, webhooks

urlpatterns = [
    path("clubs/", lists.clubs, name="clubs"),
    path("clubs/new/", lists.new_club, name="new-club"),
    path("clubs/join/<str:token>/", page.by_link, name="club-link"),
    path("clubs/<int:club_id>/", page.page, name="club"),
    path("clubs/<int:club_id>/join/", taking_part.join, name="club-join"),
    path("clubs/<int:club_id>/withdraw/", taking_part.withdraw, name="club-withdraw"),
    path("clubs/<int:club_id>/leave/", taking_part.leave, name="club-leave"),
    path("clubs/<int:club_id>/edit/", managing.edit, name="club-edit"),
    path("clubs/<int:club_id>/invite/", managing.invite, name="club-invite"),
    path("clubs/<int:club_id>/people/", managing.people, name="club-people"),
    path("clubs/<int:club_id>/link/", managing.renew, name="club-renew"),
    path("clubs/<int:club_id>/dissolve/", managing.dissolve, name="club-dissolve"),
    path("clubs/<int:club_id>/webhooks/", webhooks.webhooks, name="club-webhooks"),
    path("clubs/<int:club_id>/chat/", chat.chat, name="club-chat"),
    path("clubs/<int:club_id>/chat/say/", chat.say, name="club-say"),
    path("clubs/<int:club_id>/chat/read/", chat.read, name="club-read"),
    path("clubs/<int:club_id>/chat/mute/", chat.mute, name="club-mute"),
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
