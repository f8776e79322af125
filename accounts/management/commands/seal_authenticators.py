"""Encrypts all sealed secrets by the newest key, before an older one is thrown away."""

from typing import Any

from django.core.management import BaseCommand

from accounts.services import sealing


class Command(BaseCommand):
    help = "Encrypt the secrets of authenticators, calendars and webhooks by the newest of AUTHENTICATOR_KEYS."

    def handle(self, **options: Any) -> None:
        self.stdout.write(f"{sealing.seal_all()} secrets were encrypted by the newest key.")
