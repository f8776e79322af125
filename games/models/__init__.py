"""The database models of games: one module for each concern, one import path for all."""

from games.models.archive import Archive
from games.models.calendar import CalendarFeed
from games.models.chat import LONGEST_LINE, ChatLine, Muted
from games.models.clubs import LONGEST_CLUB_NAME, LONGEST_CLUB_WORDS, Club, Membership
from games.models.dice import FaceCount, Tally
from games.models.lobby import Invitation, LastInvitation, StandingChallenge
from games.models.mail import (
    ASKING,
    POSTED,
    REPLIES_OFF,
    TOPIC_OF,
    TOPICS,
    Kind,
    Mail,
    MailStop,
    Notice,
    Wish,
    new_message_id,
    unheard,
)
from games.models.match import Match, Person, Seat, new_token
from games.models.operation import LONGEST_REASON, Audit, Heartbeat, Outage, Sample, Sweep, TimeOut
from games.models.posts import POSTS_KEPT, PlayedKey, Posted
from games.models.push import CallChoice, Device, Push
from games.models.puzzles import Puzzle, PuzzleAnswer
from games.models.records import Imported, RecordMonth
from games.models.replies import REPLIES_KEPT, Reply
from games.models.seeds import new_seed
from games.models.turns import Turn
from games.models.webhooks import TEST, Webhook, WebhookCall

__all__ = [
    "ASKING",
    "LONGEST_CLUB_NAME",
    "LONGEST_CLUB_WORDS",
    "LONGEST_LINE",
    "LONGEST_REASON",
    "POSTED",
    "POSTS_KEPT",
    "REPLIES_KEPT",
    "REPLIES_OFF",
    "TEST",
    "TOPICS",
    "TOPIC_OF",
    "Archive",
    "Audit",
    "CalendarFeed",
    "CallChoice",
    "ChatLine",
    "Club",
    "Device",
    "FaceCount",
    "Heartbeat",
    "Imported",
    "Invitation",
    "Kind",
    "LastInvitation",
    "Mail",
    "MailStop",
    "Match",
    "Membership",
    "Muted",
    "Notice",
    "Outage",
    "Person",
    "PlayedKey",
    "Posted",
    "Push",
    "Puzzle",
    "PuzzleAnswer",
    "RecordMonth",
    "Reply",
    "Sample",
    "Seat",
    "StandingChallenge",
    "Sweep",
    "Tally",
    "TimeOut",
    "Turn",
    "Webhook",
    "WebhookCall",
    "Wish",
    "new_message_id",
    "new_seed",
    "new_token",
    "unheard",
]
