"""What Django says of an error, on the page that DEBUG shows: without passwords, keys and addresses."""

import re
from typing import Any

from django.template.defaultfilters import pprint
from django.utils.safestring import SafeString
from django.views.debug import ExceptionReporter, SafeExceptionReporterFilter

from config.lib.masking import without_secrets


class Filter(SafeExceptionReporterFilter):
    """Django's filter, which hides more settings: all that may hold the address of a service, or of a person."""

    hidden_settings = re.compile(
        r"API|AUTH|TOKEN|KEY|SECRET|PASS|SIGNATURE|COOKIE|URL|DSN|BROKER|DATABASES|CACHES|CHANNEL|LOCATION"
        r"|ANYMAIL|ADDRESS|ADMINS|MANAGERS|EMAIL_HOST|HTTP_X_|METRICS_ALLOWED",
        re.I,
    )


class Shown(str):
    """A variable as the report shows it."""

    def __repr__(self) -> str:
        return str(self)


class Report(ExceptionReporter):
    """Django's report, in whose variables and texts secrets are hidden, too."""

    def get_traceback_frames(self) -> list[dict[str, Any]]:
        """Return the frames, secrets hidden before long variables are cut: half a secret would be known no more."""
        frames: list[dict[str, Any]] = super().get_traceback_frames()
        for frame in frames:
            frame["vars"] = [(name, Shown(without_secrets(pprint(value)))) for name, value in frame.get("vars", ())]
        return frames

    def get_traceback_html(self) -> SafeString:
        return SafeString(without_secrets(super().get_traceback_html()))

    def get_traceback_text(self) -> SafeString:
        return SafeString(without_secrets(super().get_traceback_text()))
