"""The database models of games: one module for each concern, one import path for all."""

from games.models.archive import Archive
from games.models.chat import LONGEST_LINE, ChatLine, Muted
from games.models.dice import FaceCount, Tally
from games.models.lobby import Invitation, LastInvitation, StandingChallenge
from games.models.mail import ASKING, POSTED, TOPIC_OF, TOPICS, Kind, Mail, MailStop, Notice, new_message_id
from games.models.match import Match, Person, Seat, Turn, new_seed, new_token
from games.models.operation import LONGEST_REASON, Audit, Heartbeat, Outage, Sample, Sweep, TimeOut
from games.models.posts import POSTS_KEPT, PlayedKey, Posted

__all__ = [
    "ASKING",
    "LONGEST_LINE",
    "LONGEST_REASON",
    "POSTED",
    "POSTS_KEPT",
    "TOPICS",
    "TOPIC_OF",
    "Archive",
    "Audit",
    "ChatLine",
    "FaceCount",
    "Heartbeat",
    "Invitation",
    "Kind",
    "LastInvitation",
    "Mail",
    "MailStop",
    "Match",
    "Muted",
    "Notice",
    "Outage",
    "Person",
    "PlayedKey",
    "Posted",
    "Sample",
    "Seat",
    "StandingChallenge",
    "Sweep",
    "Tally",
    "TimeOut",
    "Turn",
    "new_message_id",
    "new_seed",
    "new_token",
]
