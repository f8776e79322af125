"""Move the site from SQLite to PostgreSQL."""

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.management.color import no_style
from django.db import connection, connections, transaction
from django.db.models import Model

from accounts.models import User
from games.services.operation import backups

OLD = "old"
ROWS = 1000  # at a time


class Command(BaseCommand):
    help = "Copy every row of the embedded database into the empty PostgreSQL of DATABASE_URL, with the site stopped."

    def add_arguments(self, parser: CommandParser) -> None:
        default = str(settings.VAR_DIR / "club-y.sqlite3")
        parser.add_argument("sqlite", nargs="?", default=default, help=f"by default {default}")

    def handle(self, *args: Any, **options: Any) -> None:
        if connection.vendor != "postgresql":
            raise CommandError("Set DATABASE_URL to the PostgreSQL that the site moves to.")
        connections.databases[OLD] = connections.databases["default"] | {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": f"file:{options['sqlite']}?mode=ro",
            "OPTIONS": {"uri": True},
        }
        call_command("migrate", interactive=False, verbosity=0)
        try:
            self.refuse()
            moved = self.move()
        finally:
            connections[OLD].close()
        self.stdout.write(
            f"{moved} rows moved. Now: manage.py check_matches, then start the site with this DATABASE_URL,"
        )
        self.stdout.write(f"and with the SECRET_KEY and the AUTHENTICATOR_KEYS that are kept in {settings.VAR_DIR}.")

    def refuse(self) -> None:
        """Raise a CommandError unless the new database is empty and the old one is of this release and not in use."""
        if User.objects.exists():
            raise CommandError("There are people in that PostgreSQL already: nothing is moved into it.")
        try:
            old = applied(OLD)
        except Exception as error:
            raise CommandError("The embedded database cannot be read.") from error
        if old != applied("default"):
            raise CommandError(
                "The embedded database is of another release: `make install` without DATABASE_URL first."
            )
        if backups.is_open(OLD):
            raise CommandError("The site runs, or did a moment ago: stop it, and try again 30 s later.")

    def move(self) -> int:
        """Copy all tables in one transaction; return the number of rows."""
        models = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
        with transaction.atomic():
            tables = ", ".join(f'"{model._meta.db_table}"' for model in models if not model._meta.proxy)
            with connection.cursor() as cursor:
                cursor.execute(f"TRUNCATE {tables}")  # what migrations put there; all of it comes with the rest
            moved = sum(copy(model) for model in models if not model._meta.proxy)
            resets = connection.ops.sequence_reset_sql(no_style(), models)
            with connection.cursor() as cursor:
                cursor.execute("\n".join(resets))
        return moved


def applied(alias: str) -> list[tuple[str, str]]:
    """Return the migrations that a database has had, sorted."""
    with connections[alias].cursor() as cursor:
        cursor.execute("SELECT app, name FROM django_migrations")
        return sorted(cursor.fetchall())


def copy(model: type[Model]) -> int:
    """Copy the rows of a model's table; return how many."""
    moved = 0
    for rows in batches(model):
        model._base_manager.using("default").bulk_create(rows)
        moved += len(rows)
    return moved


def batches(model: type[Model]) -> Iterator[list[Any]]:
    """Yield the rows of the old table in order, some at a time, so that any number fits into memory."""
    rows: list[Any] = []
    for row in model._base_manager.using(OLD).order_by("pk").iterator(ROWS):
        rows.append(row)
        if len(rows) == ROWS:
            yield rows
            rows = []
    yield rows
