"""Where an app asks or tells others without knowing them: settings that name their functions."""

# People
MAIL_OUTBOX = (
    "games.services.notices.post"  # called with a finished mail about an account: keeps and sends it
)
ON_GUEST_JOINS = ["games.services.adopting.adopt"]  # called with (guest, member) at a guest's log-in
WHY_CLOSED = "games.moderation.sanctions.why_closed"  # called with (user): what a closed account is told
ON_ADDRESS_CONFIRMED = ["games.moderation.personal.take_up_sanctions"]  # called with (user, address)
ON_ACCOUNT_CLOSING = [  # called twice with (user), in the transaction that deletes them
    "games.moderation.personal.forget_member",  # while their seats tell which matches they were in
    "games.services.closing.hand_on",
    "games.services.spoken.forget_lines",
    "leaderboards.closing.leave_boards",
]
DATA_EXPORTS = [  # called with (user), give what an app holds of them, by name, JSON-able, or iterators
    "games.export.play_data",
    "games.services.spoken.chat_data",
    "games.moderation.personal.moderation_data",
    "leaderboards.export.rating_data",
]
ON_BLOCK = [  # called with (blocker, blocked), in the transaction of the block
    "games.services.apart.part",
    "games.services.parting.part_tables",
]
ON_TIMES_CHANGE = ["games.services.times.work_out_again"]  # called with a member's number

# Matches
ON_MATCH_END = [  # called with (match, seats), in the transaction that ends the match
    "leaderboards.services.rate_match",
    "leaderboards.services.record_team",
]
ON_MATCH_REOPENED = [  # called with (match) when an end is undone
    "leaderboards.services.unrate_match",
    "leaderboards.services.forget_team",
]
ON_MATCH_VOIDED = ON_MATCH_REOPENED  # called with (match)
ON_JOINING = ["leaderboards.services.check_range"]  # called with (match, user), may refuse
ON_WRITING = ["games.moderation.sanctions.check_writing"]  # called with (match, user), may refuse
CIRCLE_PANELS = ["games.views.muted.muted_panel"]  # called with (request, member), give HTML
PROFILE_PANELS = ["leaderboards.profile.ratings_panel"]  # called with (member), give HTML
MATCH_PANELS = ["leaderboards.panels.rating_panel"]  # called with (match, seats, viewer's seat), give HTML

# What else
MAIL_AFTER_MATCH = ["leaderboards.panels.rating_news"]  # (match, user): what else the mail of an end tells
BEAT_PULSE = "config.health.beat_pulse"  # returns the age of beat's last sign of life, for the operation page
