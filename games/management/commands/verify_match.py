"""Prove, without a database, that a match's dice were what its seeds dictated, and that the site signed its record."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.lib import signatures
from games.engine import FORMAT, FORMER, secrets_told, verify
from games.record import message_of
from games.rules import get_game


class Command(BaseCommand):
    help = "Replay a match's record from its seeds alone, say what they are, and what first differs, if anything does."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("record", type=Path, metavar="RECORD.json")
        noted = "what a player noted during the match: its commitment; for club-y/1 each of them"
        parser.add_argument("--commitment", action="append", default=[], metavar="HEX", help=noted)
        parser.add_argument("--entry", default="", metavar="HEX", help="likewise, the fingerprint of the start")
        parser.add_argument("--key", default="", metavar="KEY", help="the public key that must have signed it")

    def handle(self, *, record: Path, commitment: list[str], entry: str, key: str, **options: Any) -> None:
        try:
            data = json.loads(record.read_bytes())
        except (OSError, ValueError, RecursionError) as error:
            raise CommandError(f"{record} cannot be read: {error}") from None
        for line in secrets_told(data):
            self.stdout.write(line)
        verdict = verify(data, get_game, commitments=commitment, entry=entry)
        if not verdict.sound:
            raise CommandError(f"not sound: {verdict.problem}")
        self.stdout.write(signature_told(data, key))
        but = f", but {verdict.prepared} that were prepared for a lesson" if verdict.prepared else ""
        if isinstance(origin := data.get("sandbox"), dict):
            told = f"up to move {origin.get('step')} they are those of the record {origin.get('record')}"
            but = f", but of {verdict.prepared}: {told}"
        self.stdout.write(f"sound: every draw is what the seed dictated{but}")
        if data.get("format", "") == FORMER:
            self.stdout.write(WEAKER)


WEAKER = (
    "In club-y/1 the site chose a fresh seed at each restore, and might know all nonces when it drew its own: compare "
    "the commitments with what was noted during the match (--commitment, once for each)."
)


def signature_told(record: dict[str, Any], key: str) -> str:
    """Return who signed a record. CommandError if the signature does not fit, or is not by `key` if one is given."""
    signature = record.get("signature")
    if signature is None:
        if key or record.get("format") == FORMAT:  # which is never given out without
            raise CommandError("not sound: nobody signed this record")
        return "signed by nobody: changed times, and what is not replayed, would go unnoticed"
    signer, value = (signature.get(name) for name in ("key", "value")) if isinstance(signature, dict) else (None, None)
    if key and signer != key:
        raise CommandError(f"not sound: signed by {signer}, not by {key}")
    if not isinstance(signer, str) or not isinstance(value, str):
        raise CommandError("not sound: the signature cannot be read")
    try:
        fits = signatures.is_signed(message_of(record), signer, value)
    except ValueError:  # numbers that JSON does not have
        fits = False
    if not fits:
        raise CommandError("not sound: the signature does not fit: something was changed")
    return f"signed by {signer}" + ("" if key else ": compare that key with those of the site (/dice/keys.json)")
