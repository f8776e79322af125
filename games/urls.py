"""Addresses of games, tables and matches."""

from django.urls import path

from games.views import chat, match, pages, tables

urlpatterns = [
    path("", pages.home, name="home"),
    path("play/", pages.lobby_page, name="lobby"),
    path("play/new/", tables.new_match, name="new-match"),
    path("next/", pages.next_match, name="next-match"),
    path("join/<str:token>/", tables.join_link, name="join-link"),
    path("games/<slug:slug>/", pages.game_page, name="game"),
    path("games/<slug:slug>/now/", tables.quick_match, name="quick-match"),
    path("matches/", pages.my_matches, name="my-matches"),
    path("matches/<int:match_id>/", match.match_page, name="match"),
    path("matches/<int:match_id>/table/", match.table_fragment, name="table"),
    path("matches/<int:match_id>/move/", match.move, name="move"),
    path("matches/<int:match_id>/join/", tables.join, name="join"),
    path("matches/<int:match_id>/leave/", tables.leave, name="leave"),
    path("matches/<int:match_id>/start/", tables.start, name="start"),
    path("matches/<int:match_id>/invite/", tables.invite, name="invite"),
    path("matches/<int:match_id>/decline/", tables.decline, name="decline"),
    path("matches/<int:match_id>/resign/", match.resign, name="resign"),
    path("matches/<int:match_id>/call-off/", match.call_off, name="call-off"),
    path("matches/<int:match_id>/pause/", match.pause, name="pause"),
    path("matches/<int:match_id>/rematch/", tables.rematch, name="rematch"),
    path("matches/<int:match_id>/notes/", match.notes, name="notes"),
    path("matches/<int:match_id>/orders/", match.orders, name="orders"),
    path("matches/<int:match_id>/chat/", chat.chat, name="chat"),
    path("matches/<int:match_id>/chat/say/", chat.say, name="say"),
    path("matches/<int:match_id>/chat/mute/", chat.mute, name="mute"),
    path("leaving/", chat.leaving, name="leaving"),
    path("matches/<int:match_id>/log/", match.match_log, name="log"),
    path("matches/<int:match_id>/replay/<int:step>/", match.replay, name="replay"),
    path("matches/<int:match_id>/record.json", match.record, name="record"),
]
