"""Numbers in sentences are those of the code, in both languages."""

import re
from pathlib import Path
from typing import Any

import pytest
from allauth.core.internal.ratelimit import parse_rates
from babel.messages.pofile import read_po
from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation

from accounts import devices, names
from accounts.services import days_off, idle_guests, sessions
from games import clocks, time_controls
from games.forms import people
from games.models import POSTS_KEPT
from games.moderation import appeals, hints, models, personal_data, reports
from games.rules import games
from games.rules.yam_menteur import sheet as yam
from games.rules.yes import data as yes
from games.rules.yum_extra import sheet as yum
from games.services.lobby import closing, inviting, readiness
from games.services.mail import delivery
from games.services.operation import admin_actions, old_rows, site_status
from leaderboards import ranks, rating

FRENCH = Path(settings.BASE_DIR, "config/locale/fr/LC_MESSAGES/django.po")
WORDS = (
    dict.fromkeys(("a", "an", "un", "une"), 1) | dict.fromkeys(("two", "deux"), 2) | dict.fromkeys(("ten", "dix"), 10)
)
WORDS |= dict.fromkeys(("five", "cinq"), 5)
UNITS = r"(?:minute|hour|heure|day|jour|week|semaine|year|an|member|membre|rated matches|parties|in a row|de suite)"
NUMBER = re.compile(rf"(?<![\w%])(?:(\d[\d,\u202f\u00a0]*)|({'|'.join(WORDS)})(?= {UNITS}))", re.IGNORECASE)
VALIDATORS: Any = settings.AUTH_PASSWORD_VALIDATORS
DAY = 24 * 60 * 60
LEAST = next(v["OPTIONS"]["min_length"] for v in VALIDATORS if v["NAME"].endswith("MinimumLengthValidator"))
LENGTHS = [settings.ACCOUNT_USERNAME_MIN_LENGTH, names.LONGEST]
PERIODS = [rate.duration for limits in settings.ACCOUNT_RATE_LIMITS.values() for rate in parse_rates(limits)]
LIVE, WEEK = time_controls.TIME_CONTROLS["live"], time_controls.TIME_CONTROLS["week"]
HOURS = admin_actions.MOST_HOURS

SAID = {
    "When we wrote to you, about which match": [delivery.KEPT.days],
    "A made-up name, or the one you type": [idle_guests.IDLE.days, idle_guests.IDLE_WITH_MATCH.days],
    "For each browser in which you are logged in": [settings.SESSION_COOKIE_AGE // DAY],
    "Whom you last invited and whether": [inviting.WAIT.days, old_rows.KEPT.days],
    "Until you have read it, so that your home page": [delivery.KEPT.days],
    "Who reported whom, why": [
        *(reports.KEPT.days // 365, personal_data.REMEMBERED.days // 365, personal_data.TRACED.days)
    ],
    "Scrambled marks of your network range": [hints.KEPT.days],
    "How often an account, an e-mail address": [1, 1, POSTS_KEPT.days],  # an hour, a day: PERIODS
    "Four, all needed, none to track you": [settings.SESSION_COOKIE_AGE // DAY, devices.AGE // DAY],
    "In these hours no mail about matches": [clocks.AFTER_QUIET.seconds // 3600, clocks.LONGEST_NIGHT.seconds // 3600],
    "Quiet hours can last at most": [clocks.LONGEST_NIGHT.seconds // 3600],
    "When a player’s time runs out here": [days_off.MOST_AUTOMATIC],
    "A live match: keep a page": [closing.SAY_WITHIN.seconds // 60, readiness.GONE_AFTER.seconds // 60],
    "Your live table of": [readiness.GONE_AFTER.seconds // 60],
    "Nobody joined your": [closing.LAPSE_AFTER.days // 7],
    "It works for ten minutes": [settings.ACCOUNT_LOGIN_BY_CODE_TIMEOUT // 60],
    "It opens for an hour after the password": [appeals.OPENS_FOR.seconds // 3600],
    "Invite at most ten members.": [people.MOST_INVITED],
    "Members without a rated match in the last": [ranks.INACTIVE_AFTER.days],
    "Neither you nor those you follow have played": [ranks.INACTIVE_AFTER.days],
    "Ratings are kept to the hundredth": [rating.SURE_AFTER],
    "provisional: fewer than": [rating.SURE_AFTER],
    "%(times)s of their %(of)s rated matches": [hints.LOOKED_BACK.days],
    "3 to 24 letters, digits": LENGTHS,
    "A user name has 3 to 24": LENGTHS,
    "At least 8 characters, and not": [LEAST],
    "Whole hours, from 1 to": [1, HOURS, HOURS // (7 * 24)],
    "From 1 to 336": [1, HOURS, HOURS // (7 * 24)],
    "That is too long: 2,000": [models.LONGEST_WORDS],
    "Moderators and admins log in again": [sessions.STAFF_HOURS.seconds // 3600],
    "Outages of the last 30 days": [site_status.REMEMBERED.days],
    "You invited %(name)s within": [inviting.WAIT.days * 24, inviting.WAIT.days],
    "5 minutes in all, plus": [LIVE.bank.seconds // 60, LIVE.increment.seconds],
    "3 days at the start, plus": [WEEK.bank.days, WEEK.increment.seconds // 3600, WEEK.cap.days],
}


def numbers(text: str) -> list[int]:
    """Return the numbers of a text: digits, and words before a unit."""
    return [int(re.sub(r"\D", "", digits)) if digits else WORDS[word.lower()] for digits, word in NUMBER.findall(text)]


@pytest.fixture(scope="module")
def french() -> dict[str, str]:
    with FRENCH.open("rb") as file:
        return {m.id: str(m.string) for m in read_po(file, locale="fr") if isinstance(m.id, str)}


@pytest.mark.parametrize("beginning", SAID)
def test_a_sentence_has_the_numbers_of_the_code(french, beginning):
    sentence, translated = next((en, fr) for en, fr in french.items() if en.startswith(beginning))
    assert sorted(numbers(sentence)) == sorted(SAID[beginning]), sentence
    assert sorted(numbers(translated)) == sorted(SAID[beginning]), translated


def test_what_the_privacy_page_says_at_most():
    assert max(settings.LANGUAGE_COOKIE_AGE, settings.CSRF_COOKIE_AGE) <= devices.AGE
    assert max(PERIODS) == DAY  # nothing is counted for longer


def rules(slug: str, language: str) -> str:
    with translation.override(language):
        return render_to_string(f"games/{slug}/rules.{language}.html")


@pytest.mark.parametrize("slug", [slug for slug in games() if slug != "sample-game"])
def test_the_rules_of_both_languages_have_the_same_numbers(slug):
    def digits(language: str) -> set[str]:
        found = re.findall(r"\d+(?:[,\u202f\u00a0 ]\d{3})*", re.sub(r"<[^>]*>", "|", rules(slug, language)))
        return {re.sub(r"\D", "", number) for number in found}

    assert digits("en") == digits("fr")


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(("slug", "fixed"), [("yum-extra", yum.FIXED), ("yam-menteur", yam.FIXED)])
def test_the_rules_tell_what_a_row_is_worth(language, slug, fixed):
    cells = re.findall(r'<td(?: class="num")?>(\d+)</td>', rules(slug, language))
    assert sorted(map(int, cells)) == sorted(fixed.values())


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_rules_tell_the_countries_in_order(language):
    goods = dict.fromkeys(yes.GOODS)
    told = rules("yes", language).split('id="countries"')[1].split('id="objectives"')[0]
    told = told.split("<ul>")[1].split("</ul>")[0]
    cards = re.findall(r",\s+([\w ]+),\s+(\d+)", told)
    assert [int(price) for _good, price in cards] == list(yes.PRICES)
    for (good, _price), country in zip(cards, yes.COUNTRIES, strict=True):
        assert goods[country.good] in (None, good)
        goods[country.good] = good
    assert len(set(goods.values())) == len(goods)
