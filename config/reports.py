"""What Django says of an error, on the page that DEBUG shows: without passwords, keys and addresses."""

import re

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


class Report(ExceptionReporter):
    """Django's report, in whose variables and texts secrets are hidden, too."""

    def get_traceback_html(self) -> SafeString:
        return SafeString(without_secrets(super().get_traceback_html()))

    def get_traceback_text(self) -> SafeString:
        return SafeString(without_secrets(super().get_traceback_text()))
