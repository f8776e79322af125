"""Hooks: settings that name functions of other apps for an app to call without importing them."""

TASKS_APP = "config.celery.app"  # the Celery application that whoever rings the worker uses, whatever process it is

# People
MAIL_OUTBOX = "games.services.mail.notices.post"  # called with a finished mail: stores and sends it
# Called with (guest, member) when a guest logs in.
ON_GUEST_JOINS = [
    "games.services.people.account_changes.transfer_matches",
    "games.moderation.personal_data.take_over_sanctions",
]
ON_GUEST_SIGNS_UP = ["games.services.people.account_changes.show_names"]  # called with the member, once a guest
WHO_PLAYS = "games.queries.people.who_plays"  # called without arguments: the ids of who has a running match
WHO_IS_AWAITED = "games.queries.people.who_plays_with_others"  # likewise, of who has one with other people
WHY_CLOSED = "games.moderation.appeals.why_closed"  # called with (user): returns the reason, and where to appeal
ADDRESS_BARRED = "games.moderation.bars.is_barred"  # called with an e-mail address
ADDRESS_DOMAIN_BARRED = "games.moderation.bars.is_domain_barred"
ON_ADDRESS_CONFIRMED = ["games.moderation.personal_data.take_up_sanctions"]  # called with (user, address)
ON_ACCOUNT_CLOSING = [  # called with (user), in the transaction that deletes them; may raise GiveWay
    "games.services.people.account_changes.lock_matches",  # before whatever else is locked
    "games.ladders.personal_data.lock_ladders",  # likewise
    "games.services.lobby.club_tables.lock_tables",  # likewise
    "games.clubs.own_data.lock_encounters",  # likewise
    "games.competitions.personal_data.leave_tournaments",
    "games.clubs.personal_data.leave_clubs",  # when what hangs on belonging to them is locked
    "games.services.records.staleness.names_changed",  # while their seats name them
    "games.moderation.personal_data.forget_member",  # while their seats tell which matches they were in
    "leaderboards.personal_data.leave_ratings",  # likewise
    "games.services.people.account_changes.hand_over_seats",
    "games.services.people.personal_data.forget_lines",
    "leaderboards.personal_data.leave_boards",
]
DATA_EXPORTS = [  # called with (user): return an app's data of them, JSON-able or iterators, by name
    "games.services.people.personal_data.play_data",
    "games.services.people.personal_data.chat_data",
    "games.competitions.personal_data.tournament_data",
    "games.moderation.personal_data.moderation_data",
    "leaderboards.personal_data.rating_data",
    "games.ladders.personal_data.ladder_data",
    "games.clubs.own_data.encounter_data",
    "games.clubs.personal_data.club_data",
    "games.api.personal_data.token_data",
    "games.api.services.bots.bot_data",
]
SEALED_COLUMNS = [  # (model, column): what accounts encrypts by its keys
    ("games.CalendarFeed", "sealed"),
    ("games.Webhook", "address"),
    ("games.Webhook", "secret"),
]
ON_BLOCK = [  # called with (blocker, blocked), in the transaction of the block
    "games.ladders.services.challenging.end_between",  # first: a ladder is locked before matches
    "games.services.people.blocks.withdraw_invitations",
    "games.services.people.blocks.leave_shared_matches",
    "games.clubs.services.circles.keeping.leave_shared",
]
ON_LOGGED_OUT = ["games.api.services.tokens.end_all"]  # called with (user) who ends all other log-ins, or is banned
ON_MAIL_BROKEN = ["games.services.mail.bounced.go_on"]  # called with the ids of members whose address fails
ON_NAME_IN_RECORDS = ["games.services.records.staleness.names_changed"]  # called with (user): their wish changed
ON_INVITATIONS_CHANGE = ["games.services.lobby.challenges.show_anew"]  # called with (user): who may invite them
ON_TIMES_CHANGE = ["games.services.clocks.adjustments.recompute_deadlines"]  # called with a member's id
NAMES_KEPT = "games.partners.names"  # called without arguments: names that nobody may take

HINTS_OF_RESULTS = "games.competitions.hints.against_rating"  # (member, since): who loses to them: [(id, times, of)]
FELLOWS = "games.competitions.hints.fellows"  # (member, ids of others, since): in how many of their tournaments, by id
REPORTED_TOURNAMENT = "games.competitions.views.finding.reported"  # (request, number): one that they see, or Hidden
ALSO_DUE = [  # called with (until): how much, beside matches, would be decided by the clock
    "games.competitions.services.due.count",
    "games.ladders.services.tending.count_due",
]
ON_CLOCK_SET_BACK = [  # called with (now): what lies ahead is of now
    "games.competitions.services.due.bring_back",
    "games.ladders.services.standing.bring_back",
]
SET_ASIDE = ["games.competitions.admin.set_aside"]  # called without arguments: rows of the operation page

# What the webhooks of a club or tournament say: called with (its id, kind, number of what it is about); None: nothing.
GROUP_FACTS = {
    "club": "games.clubs.webhooks.facts_of",
    "tournament": "games.competitions.webhooks.facts_of",
}

# Matches
RATINGS = "leaderboards.queries.points_of"  # called with (game's slug, ids of members): their points, by id
ON_MATCH_END = [  # called with (match, seats), in the transaction that ends the match
    "leaderboards.services.rate_match",
    "leaderboards.services.record_team",
    "games.competitions.services.results.match_ended",
    "games.ladders.services.results.match_ended",
    "games.clubs.services.encounters.results.match_ended",
]
ON_MATCH_REOPENED = [  # called with (match) when an end is undone
    "leaderboards.services.unrate_match",
    "leaderboards.services.forget_team",
    "games.services.records.staleness.match_reopened",
    "games.competitions.services.results.match_reopened",
    "games.ladders.services.results.match_reopened",
    "games.clubs.services.encounters.results.match_reopened",
]
ON_MATCH_VOIDED = [  # called with (match)
    "leaderboards.services.unrate_match",
    "leaderboards.services.forget_team",
    "games.services.records.staleness.match_voided",
    "games.competitions.services.results.match_voided",
    "games.ladders.services.results.match_voided",
    "games.clubs.services.encounters.results.match_voided",
]
HOST_OF_MATCH = "games.clubs.services.circles.notices.host_of"  # called with (match): who invites to one nobody opened
MAY_WATCH = "games.moderation.reports.may_watch"  # called with (match, user), of matches that are not public
ON_JOINING = ["leaderboards.services.check_range"]  # called with (match, user), may refuse
ON_ENTERING = ["leaderboards.championships.check_qualified"]  # called with (tournament, user), may refuse
SEEDS = "leaderboards.championships.seeds_of"  # called with (tournament, ids of members): strengths of those seeded
ON_TAKING_PART = ["games.moderation.sanctions.check_taking_part"]  # called with (user), may refuse
WHO_IS_BARRED = "games.moderation.sanctions.who_is_barred"  # called without arguments: the ids of who may not play
BARRED = "games.moderation.sanctions.barred_among"  # called with ids of members: whom ON_TAKING_PART would refuse
ON_WRITING = ["games.moderation.sanctions.check_writing"]  # called with (match, user), may refuse
CIRCLE_PANELS = [
    "games.views.chat.muted_panel",
    "games.moderation.views.reports_panel",
]  # called with (request, member), give HTML
PROFILE_PANELS = [
    "leaderboards.panels.medals_panel",
    "leaderboards.panels.ratings_panel",
    "games.ladders.panels.profile_panel",
    "games.clubs.panels.profile_panel",
]  # called with (member), give HTML
SEASON_PANELS = ["leaderboards.panels.season_panel"]  # called with (member, start, end), give HTML
CLUB_PANELS = [
    "games.views.club_tables.tables_panel",
    "games.clubs.encounter_panels.club_panel",
    "games.competitions.panels.club_panel",
    "leaderboards.clubs.club_panel",
]  # called with (request, club, the reader's membership or None), give HTML
ON_LEAVING_CLUB = [  # called with (club's id, user's id), in the transaction in which they stop belonging to it
    "games.competitions.services.leaving.leave_club",
    "games.services.lobby.club_tables.leave_club",  # matches are locked last
]
ON_DISSOLVING_CLUB = [
    "games.services.lobby.club_tables.close_tables",
    "games.services.webhooks.groups.forget_club",
]  # called with (club's id), before it is deleted
MATCH_PANELS = [
    "leaderboards.panels.rating_panel",
    "games.clubs.circle_panels.match_panel",
]  # called with (match, seats, viewer's seat), give HTML
MATCH_HEADS = [
    "games.competitions.panels.match_head",
    "games.ladders.panels.match_head",
    "games.clubs.encounter_panels.match_head",
]  # likewise, for the top of the page
WHERE_MATCHES_BELONG = [
    "games.competitions.panels.belonging",
    "games.ladders.panels.belonging",
    "games.clubs.encounter_panels.belonging",
]  # called with (ids of matches, user): tournament or ladder of each that has one, by id (games.services.hooks.Series)
HOME_PANELS = [
    "games.competitions.panels.home_panel",
    "games.clubs.encounter_panels.home_panel",
    "games.clubs.circle_panels.home_panel",
    "games.clubs.panels.home_panel",
]  # called with (request) of a member, give HTML
HOME_QUESTIONS = [
    "games.ladders.panels.home_questions",
    "games.competitions.panels.home_questions",
]  # called with (request): how many questions beside matches wait for the member, and their HTML
GAME_LINKS = [
    "games.competitions.panels.game_link",
    "games.ladders.panels.game_link",
]  # called with (game's slug): address and words of a further page of the game, or nothing

MAIL_OF_MATCH = [
    "games.competitions.services.notices.told_of",
    "games.ladders.services.notices.told_of",
    "games.clubs.services.encounters.notices.told_of",
]  # (match, user): where it belongs, at start and end
MAIL_AFTER_MATCH = ["leaderboards.panels.rating_news"]  # (match, user): adds a sentence to the mail
ON_DIGEST = [
    "games.competitions.services.notices.tell_member",
    "games.ladders.services.notices.tell_member",
    "games.clubs.services.encounters.notices.tell_member",
    "games.clubs.services.circles.notices.tell_member",
    "games.clubs.services.notices.tell_member",
]  # called with (user), whose one mail a day is due

# Programs
API_ROUTES = [  # routers of django-ninja, each of one subject
    "games.api.routes.me.routes",
    "games.api.routes.games.routes",
    "games.api.routes.tables.routes",
    "games.api.routes.standing.routes",
    "games.api.routes.matches.routes",
    "games.api.routes.looking.routes",
    "games.api.routes.playing.routes",
    "games.api.routes.talk.routes",
    "games.api.routes.people.routes",
    "leaderboards.api.routes",
    "games.competitions.api.organising.routes",  # with those of tournaments
    "games.ladders.api.routes",
    "games.clubs.api.clubs.routes",
    "games.clubs.api.people.routes",
    "games.clubs.api.talk.routes",
    "games.clubs.api.encounters.routes",
    "games.clubs.api.circles.routes",
    "games.api.routes.puzzles.routes",
    "games.api.routes.notices.routes",
    "games.api.routes.settings.routes",
]
STREAM_CONCERNS = [  # tuples of games.api.services.concerns.Concern: what streams tell besides matches
    "games.clubs.streams.CONCERNS",
    "games.ladders.streams.CONCERNS",
    "games.competitions.streams.CONCERNS",
]
API_CHECKS = [
    "games.services.lobby.member_bots.check_program",
    "games.moderation.middleware.check_program",
]  # called with (user, name of the page), may refuse
ON_API_DEED = ["games.moderation.middleware.note_program"]  # called with (request, name of the page) after it is done

# Work
TASKS_APP = "config.celery.app"  # imported by commands that ring the worker: it tells Celery the broker
