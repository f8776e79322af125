"""Encrypts the secrets of all authenticators by the newest key, before an older one is thrown away."""

from typing import Any

from django.core.management import BaseCommand

from accounts.services import sealing


class Command(BaseCommand):
    help = "Encrypt the secrets of all authenticators by the newest of AUTHENTICATOR_KEYS."

    def handle(self, **options: Any) -> None:
        self.stdout.write(f"{sealing.seal_all()} authenticators were encrypted by the newest key.")
