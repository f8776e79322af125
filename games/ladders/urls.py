"""Addresses of ladders."""

from django.urls import path

from games.ladders import views

urlpatterns = [
    path("ladders/", views.ladders_page, name="ladders"),
    path("ladders/challenges/<int:ladder_challenge_id>/accept/", views.accept, name="ladder-accept"),
    path("ladders/challenges/<int:ladder_challenge_id>/decline/", views.decline, name="ladder-decline"),
    path("ladders/challenges/<int:ladder_challenge_id>/withdraw/", views.withdraw, name="ladder-withdraw"),
    path("ladders/<slug:slug>/", views.ladder_page, name="ladder"),
    path("ladders/<slug:slug>/me/", views.my_place, name="ladder-me"),
    path("ladders/<slug:slug>/join/", views.join, name="ladder-join"),
    path("ladders/<slug:slug>/pause/", views.pause, name="ladder-pause"),
    path("ladders/<slug:slug>/leave/", views.leave, name="ladder-leave"),
    path("ladders/<slug:slug>/challenge/", views.challenge, name="ladder-challenge"),
]
