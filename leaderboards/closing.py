"""How a member leaves the leaderboards when their account is closed; what others won from them stays."""

from accounts.models import User
from leaderboards import ranks
from leaderboards.models import Standing


def leave_boards(user: User) -> None:
    """Take the member off all boards, in Redis after commit; a hook of accounts (ON_ACCOUNT_CLOSING).

    The chain of rating changes stays whole: its rows keep a number that is nobody's any more.
    """
    standings = list(Standing.objects.filter(user=user))
    if standings:
        Standing.objects.filter(user=user).delete()
        ranks.reflect(standings)
