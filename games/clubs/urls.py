"""Addresses of clubs."""

from django.urls import path

from games.clubs.views import chat, lists, managing, page, taking_part

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
    path("clubs/<int:club_id>/chat/", chat.chat, name="club-chat"),
    path("clubs/<int:club_id>/chat/say/", chat.say, name="club-say"),
    path("clubs/<int:club_id>/chat/read/", chat.read, name="club-read"),
    path("clubs/<int:club_id>/chat/mute/", chat.mute, name="club-mute"),
]
