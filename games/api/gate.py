"""The gate of one thing that the API offers: who asks, with which token, how often, and whether they may."""

from django.conf import settings
from django.http import HttpRequest
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from ninja.security.base import AuthBase

from accounts.access import member_of
from accounts.services import visits
from config.lib import rate_limits
from games.api.models import ApiToken, Scope
from games.api.problems import Problem, read_json
from games.services.refusals import TooOften

JSON = "application/json"


def token_of(request: HttpRequest) -> ApiToken:
    """Return the token of a request that the gate has let in."""
    token: ApiToken = request.api_token  # type: ignore[attr-defined]
    return token


class Gate(AuthBase):
    """Lets in whose token is for this; `page` is the name of the page that does the same, whose bars are kept here."""

    openapi_type = "http"
    openapi_scheme = "bearer"

    def __init__(self, scope: Scope, page: str, *, acts: bool) -> None:
        super().__init__()
        self.scope, self.page, self.acts = scope, page, acts

    def __call__(self, request: HttpRequest) -> bool:
        """Return True; Problem or Refused for whoever may not."""
        token = request.api_token  # type: ignore[attr-defined]
        if token is None:
            raise request.api_refusal  # type: ignore[attr-defined]
        if self.scope not in token.scopes and Scope.BOT not in token.scopes:
            words = _("This token is not for that: it needs the scope “%(scope)s”.") % {"scope": self.scope}
            raise Problem(403, "scope_missing", words, scope=self.scope)
        if self.acts:
            self._check_deed(request)
        return True

    def _check_deed(self, request: HttpRequest) -> None:
        user = member_of(request)
        visits.note_soon(user.pk)
        for path in settings.API_CHECKS:
            import_string(path)(user, self.page)
        if not rate_limits.allows_post_of(user.pk):
            raise TooOften
        if request.method in ("POST", "PUT", "PATCH"):
            if request.content_type != JSON and request.body:
                words = _("Send JSON, with the header Content-Type: application/json. Nothing was done.")
                raise Problem(415, "not_json", words)
            request.sent = read_json(request.body)  # type: ignore[attr-defined]
