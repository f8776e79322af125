"""The form of the mail settings: topics, rhythm, quiet hours."""

from datetime import time
from typing import Any

from django import forms
from django.utils.formats import time_format
from django.utils.translation import gettext_lazy as _

from accounts import queries
from accounts.models import User
from accounts.services import mail_links
from config.lib import clock
from games.models import REPLIES_OFF, TOPICS

WORDS = {
    "turn": _("It is my turn"),
    "reminder": _("Reminders when my time is getting short"),
    "played": _("My time ran out, or a day off was taken"),
    "started": _("A match starts"),
    "ended": _("A match ends"),
    "invited": _("Invitations, rematches and proposals, and answers to mine"),
    "lapsed": _("My table closed because nobody came"),
    "mentioned": _("Somebody mentioned me in a chat"),
    "tournament": _("News of my tournaments"),
    "ladder": _("Challenges to me on a ladder, and answers to mine"),
    "club": _("News of my clubs and circles of friends, and mentions of me there"),
    "chat": _("Somebody wrote in the chat of my match"),
}


CLOCK: dict[str, Any] = {"required": False, "widget": forms.TimeInput({"type": "time"}, format="%H:%M")}


def _minutes(at: time | None) -> int | None:
    return at.hour * 60 + at.minute if at else None


def _time(minutes: int | None) -> time | None:
    return time(*divmod(minutes, 60)) if minutes is not None else None


def _hours() -> list[tuple[int, str]]:
    return [(hour, time_format(time(hour))) for hour in range(24)]


class MailForm(forms.Form):
    """What mails a member wants, and when."""

    topics = forms.MultipleChoiceField(
        label=_("Mail me when"),
        choices=[(topic, WORDS[topic]) for topic in TOPICS],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    rhythm = forms.ChoiceField(label=_("How often"), choices=User.Rhythm.choices, widget=forms.RadioSelect)
    digest_hour = forms.TypedChoiceField(
        label=_("Hour of the daily mail"),
        choices=_hours,
        coerce=int,
    )
    replies = forms.BooleanField(label=_("Play by answering a mail with one line"), required=False)
    answers = forms.BooleanField(label=_("Buttons in mails that answer with one press, without log-in"), required=False)
    quiet_from = forms.TimeField(label=_("Quiet from"), **CLOCK)
    quiet_until = forms.TimeField(label=_("until"), **CLOCK)

    def __init__(self, user: User, data: Any = None) -> None:
        self.user = user
        present = {
            "replies": REPLIES_OFF not in user.mail_off,
            "topics": [topic for topic in TOPICS if topic not in user.topics_off],
            "rhythm": user.mail_rhythm,
            "digest_hour": user.digest_hour,
            "answers": mail_links.are_wanted(user),
            "quiet_from": _time(user.quiet_from),
            "quiet_until": _time(user.quiet_until),
        }
        super().__init__(data, initial=present)

    def clean(self) -> dict[str, Any]:
        """Refuse half a span, one that is empty or longer than 12 hours, and a daily mail within it."""
        cleaned: dict[str, Any] = super().clean() or {}
        if "quiet_from" not in cleaned or "quiet_until" not in cleaned:
            return cleaned
        start, end = _minutes(cleaned["quiet_from"]), _minutes(cleaned["quiet_until"])
        cleaned["quiet"] = start, end
        if (start is None) != (end is None):
            self.add_error("quiet_until", _("Quiet hours need a start and an end."))
        elif start is not None and end is not None:
            self._check_span(start, end, cleaned)
        return cleaned

    def _check_span(self, start: int, end: int, cleaned: dict[str, Any]) -> None:
        length = queries.length(start, end)
        if not 0 < length <= queries.LONGEST:
            self.add_error("quiet_until", _("Quiet hours can last at most 12 hours."))
            return
        hour = cleaned.get("digest_hour") if cleaned.get("rhythm") == User.Rhythm.DAILY else None
        if hour is not None and (hour * 60 - start) % queries.DAY < length:
            self.add_error("digest_hour", _("Your daily mail would come in your quiet hours."))

    def fields_to_save(self) -> dict[str, Any]:
        data = self.cleaned_data
        wanted: dict[str, Any] = {
            "mail_off": [
                *(topic for topic in TOPICS if topic not in data["topics"] and topic != "chat"),
                *([] if data["replies"] else [REPLIES_OFF]),
            ],
            "chat_mails": "chat" in data["topics"],
            "mail_rhythm": data["rhythm"],
            "digest_hour": data["digest_hour"],
            "answers_by_mail": None if data["answers"] == mail_links.is_usual(self.user) else data["answers"],
            "quiet_from": data["quiet"][0],
            "quiet_until": data["quiet"][1],
        }
        there = queries.local(self.user, clock.now())
        fresh = (self.user.mail_rhythm, self.user.digest_hour) != (data["rhythm"], data["digest_hour"])
        if fresh and there.hour >= data["digest_hour"]:
            wanted["digest_on"] = there.date()  # today's hour is past: start tomorrow
        return wanted
