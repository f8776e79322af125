"""How often a person, a network address or whatever else a key names may do what: settings, by the act."""

ACCOUNT_RATE_LIMITS = {  # beside allauth's own for log-in, sign-up, codes, passwords
    "login_failed": "10/m/ip,5/5m/key",  # by account and address
    "login_known": "10/5m/key",  # by account and device on which its owner has logged in
    "login_all": "100/h/key",  # by account, from all addresses
    "passkey": "60/m/ip,600/h/ip",
    "asked_mail": "5/h/key,15/d/key",  # codes, by the mailbox that they go to; what follows is each form's own
    "code_guessed": "3/10m/key",  # at one code, as allauth counts them in the session
    "request_login_code": "20/m/ip,60/h/ip",
    "reset_password": "20/m/ip,60/h/ip",
    "confirm_asked": "20/d/user,100/h/ip",  # the same, by who asks
    "confirm_email": "1/3m/key,10/d/key",  # links to confirm it, by the address as it is spelt
    "confirm_mailbox": "5/h/key,10/d/key",  # by the mailbox, whoever asks
    "signup": "20/m/ip,60/h/ip",
    "guest": "60/h/ip",
    "guest_link": "10/h/user,20/h/ip",  # a guest's own link, mailed to whom they name
    "guest_back": "30/h/key",  # sessions of one guest: by their link, or by a post that comes again
    "text_waits": "60/h/ip",  # what somebody wrote whose session had ended, kept for log-in
    "bad_link": "20/m/ip,100/h/ip",  # of mails, that are none of ours
    "kept_post": "600/h/user",  # of forms with a key, each a row for a day
    "chat": "12/m/user,200/h/user",
    "export": "10/h/user",
    "calendar": "60/h/key",  # by whose it is, as programs read it
    "webhook": "30/h/user,100/h/ip",  # to an address of anybody's
    "token": "30/h/user",  # of the API, made or ended
    "bot": "60/h/user",  # made, closed, and their tokens
    "report": "10/h/user,30/d/user,30/h/ip,100/d/ip",
    "join": "60/h/user,200/h/ip",
    "invite": "60/h/user",
    "table": "60/h/user,120/h/ip",  # guests are made freely, and bots think at each table of theirs
    "tournament": "10/d/user",  # announced
    "entry": "60/h/user",  # signing up for them
    "ready": "120/h/user",  # at one in one evening, each of which rings a worker
    "correction": "120/h/user",  # and managing them
    "ladder": "30/h/user",  # joining, leaving: all below move, and a line of its history
    "club": "5/d/user,20/d/ip",  # made
    "join_club": "30/h/user,100/h/ip",  # joining, and asking to
    "manage_club": "200/h/user",
    "club_match": "20/d/user",  # announced to other clubs
    "club_match_again": "3/d/key",  # to the same club, by who announces: its organisers are mailed each time
    "circle": "30/d/user",  # made, each of which asks several people
    "asked_by": "3/d/key",  # somebody to clubs, and to places in tournaments, by the two: each is a mail
    "invite_again": "1/d/key",  # somebody to a club, by the two
    "ask_again": "2/d/key",  # to join a club, by the two: its organisers are mailed each time
    "organiser_again": "2/d/key",  # somebody made one of a club, by the two
    "circle_again": "2/d/key",  # somebody asked into a circle, by the two
    "circle_table": "10/d/key",  # opened for a circle, all of whom are invited
    "propose": "30/h/user",
    "sandbox": "40/h/user,100/h/ip",  # records that are brought, each of which takes seconds to verify
    "embed": "600/m/ip",  # looks at matches in frames of other sites, and at pictures of tables
    "review": "120/h/key",  # looks back at matches, each of which takes a second of thought; by who asks
    "device": "30/h/user,200/h/ip",
    "device_test": "30/h/user,100/h/ip",  # to what is said to be a browser's push service, as with webhooks
}
