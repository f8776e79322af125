"""What the check of a record says, by the code of each finding (games/static/games/check.js)."""

from django.utils.translation import gettext_lazy as _

CHECK_WORDS = {
    "sound": _("The record is sound: everything that can be checked here is right."),
    "unsound": _("Something in this record is not right, or cannot be checked."),
    "commitment-right": _("The secret number fits the fingerprint that was shown from the start."),
    "commitment-wrong": _("The secret number does not fit the fingerprint."),
    "chain-right": _("The match was restored: the next numbers of the chain were used, as had been fixed."),
    "chain-wrong": _("The match was restored, but not with the next number of the chain."),
    "reseeds-right": _("The match was restored: each new secret number fits its fingerprint."),
    "reseeds-wrong": _("The match was restored, and a new secret number does not fit."),
    "noted-right": _("The fingerprint is the one that was noted during the match."),
    "noted-wrong": _("The fingerprint is not the one that was noted during the match."),
    "noted-none": _("Nobody noted the fingerprint here during the match, so that it cannot be compared."),
    "nonce-right": _("The number that this device drew is in the record."),
    "nonce-wrong": _("The number that this device drew is not in the record."),
    "entry-right": _("All numbers that were fixed at the start fit the fingerprint of the start."),
    "entry-wrong": _("The numbers that were fixed at the start do not fit the fingerprint of the start."),
    "openings-right": _("Each sealed number is the one that had been sealed, and was opened before its player moved."),
    "openings-wrong": _("A sealed number is not the one that had been sealed, or was opened at another time."),
    "draws-right": _("Draws that are right: {n}."),
    "draws-wrong": _("Draws that are wrong: {n}, the first of them at move {move}."),
    "kinds-wrong": _("Draws of which the record does not say what they are, so that they cannot be checked: {n}."),
    "prepared": _("Draws that were prepared for a lesson, and follow from no number: {n}."),
    "signature-right": _("The site has signed this record, and nothing was changed since: no move, time or result."),
    "signature-wrong": _("The site’s signature does not fit: something was changed, or it is missing."),
    "signature-none": _("This browser cannot check the signature: a changed move, time or result goes unnoticed."),
    "key-wrong": _("The record is signed, but not by a key of this site: {key}"),
    "former": _(
        "This match began under an earlier format: after it was restored the site could choose the new number, and"
        " could choose its first one for a table at which it knew all players’ numbers."
    ),
    "no-seed": _("The record holds no secret number: the match has not ended."),
    "malformed": _("This is no whole record of a match."),
    "failed": _("The record could not be fetched. Try again."),
    "setup": _("The start"),
    "move": _("Move {move}"),
    "right": _("right"),
    "wrong": _("wrong"),
    "open": _("not checked"),
    "instead": _("it should be {numbers}"),
    "all": _("All draws: {n}"),
    "in-line": _("Draws checked: {n}, all right"),
    "in-line-wrong": _("Draws that are wrong here: {n}"),
}
