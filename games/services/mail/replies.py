"""What an error at sending means for the mail: try again, give up, or nobody knows."""

import smtplib
from dataclasses import dataclass
from typing import Any

from anymail.exceptions import AnymailAPIError, AnymailRecipientsRefused

from accounts.services import bounces
from config.lib import mail_replies
from games.models import Mail

State = Mail.State
CLOSED_TO_US = (401, 403)  # a provider's answers to a wrong key


@dataclass
class Verdict:
    """The result of an attempt: the mail's state and whose fault it was; `stopped` if the fuse has blown."""

    state: Mail.State
    bad_address: bool = False  # no mail can reach it
    server_away: bool = False
    refused: bool = False  # for good, with this recipient or message
    ours: bool = False  # for good, whoever the mail is for: the sender, the password
    stopped: bool = False


def judge(error: Exception, handed: bool) -> Verdict:
    """Return what an error means. Only some codes of a recipient's refusal are the address's fault."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, words = next(iter(error.recipients.values()))
        bad = code >= 500 and mail_replies.is_of_the_address(_text(words))
        refused = mail_replies.is_lasting(code, _text(words))
        return Verdict(State.FAILED if bad else State.WAITING, bad_address=bad, refused=refused)
    if isinstance(error, AnymailRecipientsRefused):
        return Verdict(State.FAILED, bad_address=_is_invalid(error), refused=True)
    if isinstance(error, smtplib.SMTPDataError):
        refused = mail_replies.is_lasting(error.smtp_code, _text(error.smtp_error))
        return Verdict(State.FAILED if refused else State.WAITING, refused=refused)
    if isinstance(error, smtplib.SMTPNotSupportedError) and "SMTPUTF8" in str(error):
        return Verdict(State.FAILED, bad_address=True, refused=True)  # letters that this server cannot write to
    answered = isinstance(error, AnymailAPIError) and error.status_code is not None
    if handed and not answered:
        return Verdict(State.UNKNOWN, server_away=True)
    away = answered or isinstance(error, (OSError, smtplib.SMTPException))  # SMTPException is an OSError
    away = away and not isinstance(error, smtplib.SMTPSenderRefused)
    return Verdict(State.WAITING, server_away=away, ours=_is_ours(error))


def _is_ours(error: Exception) -> bool:
    """Return whether the server refused the site itself for good: its sender, its password, its host."""
    if isinstance(error, smtplib.SMTPResponseException):
        return error.smtp_code >= 500
    return isinstance(error, AnymailAPIError) and error.status_code in CLOSED_TO_US


def _is_invalid(error: AnymailRecipientsRefused) -> bool:
    """Return whether the provider calls the address invalid; "rejected" may be its policy."""
    status = getattr(error.email_message, "anymail_status", None)
    recipients = status.recipients.values() if status else ()
    return bool(recipients) and all(one.status == "invalid" for one in recipients)


def _text(words: Any) -> str:
    return words.decode(errors="replace") if isinstance(words, bytes) else str(words)


def error_text(error: Exception) -> str:
    """Return an error in a few words, without addresses."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, words = next(iter(error.recipients.values()))
        return bounces.without_addresses(f"{code} {_text(words)}")[:200]
    if isinstance(error, smtplib.SMTPResponseException):
        return bounces.without_addresses(f"{error.smtp_code} {_text(error.smtp_error)}")[:200]
    return bounces.without_addresses(f"{type(error).__name__}: {error}")[:200]
