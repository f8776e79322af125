"""The decorator of views that make something: each form has a key, and the same post again gets the same answer."""

import json
from functools import wraps
from hashlib import blake2b
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from accounts.access import View
from accounts.services import guests
from config.lib import rate_limits
from games.forms.play import KEY
from games.models import Posted
from games.services import posts
from games.services.refusals import TooOften

OF_NO_MATTER = ("csrfmiddlewaretoken", "since")  # in which repeated posts may differ


def once(view: View) -> View:
    """Let a view whose good answer is a redirect do its deed once for each key, in one transaction.

    What it refuses, by raising or by another answer, leaves no trace, and may be posted again: so does what leads a
    visitor elsewhere, who has no limit. TooOften, as what is kept of each post is kept for a day: whoever calls it
    shows refusals (`with_refusals`).
    """

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method != "POST" or not KEY.fullmatch(request.POST.get("key", "")):
            return view(request, *args, **kwargs)
        if not rate_limits.allows(request, "kept_post"):
            raise TooOften
        was_visitor = not request.user.is_authenticated
        with posts.claimed(_mark(request)) as post:
            if post.answer:
                if was_visitor and post.guest is not None:
                    guests.come_back(request, post.guest)
                return HttpResponseRedirect(post.answer)
            response = view(request, *args, **kwargs)
            if response.status_code == 302 and request.user.is_authenticated:
                post.answer = _kept(response["Location"])
                post.guest = request.user.pk if was_visitor else None
        return response

    return wrapped


def _kept(address: str) -> str:
    """Return where the same post leads when it comes again; home, if that is too long an address to be kept."""
    return address if len(address) <= (Posted._meta.get_field("answer").max_length or 0) else reverse("home")


def _mark(request: HttpRequest) -> str:
    """Return a hash of the post and of who posts it: a member, a guest, or the browser that its CSRF cookie names."""
    who = str(request.user.pk) if request.user.is_authenticated else f"browser {request.META.get('CSRF_COOKIE', '')}"
    fields = sorted((name, values) for name, values in request.POST.lists() if name not in OF_NO_MATTER)
    return blake2b(json.dumps([who, request.get_full_path(), fields]).encode(), digest_size=32).hexdigest()
