"""Reads and writes by prepared statements: what Django's own would make of the same."""

from random import Random

import pytest
from django.db import connection
from django.db.models import Model

from config.lib import sql
from games.models import Match, PlayedKey, Seat, Turn
from games.moderation.models import Report
from tests.factories import member, play_on, seated


@pytest.mark.both
def test_what_an_instance_leaves_to_the_database_gets_its_default(db: None) -> None:
    """As does a column that is new in this release; one that is given is kept, in the same insert."""
    ann, bob = member("ann"), member("bob")
    about = {"reporter": ann, "member": bob, "reason": "x"}
    sql.insert([Report(**about, words=words, **more) for words, more in (("1", {}), ("2", {"answer": "y"}), ("3", {}))])
    found = Report.objects.order_by("words").values_list("words", "answer", "reply")
    assert list(found) == [("1", "", ""), ("2", "y", ""), ("3", "", "")]


VALUES: dict[type, tuple[object, ...]] = {
    bool: (None, True, False, 0, 1),
    int: (None, 0, 7, -7, True),
    str: (None, "", "7", Turn.By.CLOCK),
}


def of_a_match(model: type[Model]) -> list[Model]:
    return list(model.objects.order_by("pk"))  # type: ignore[attr-defined]


def plain(one: Model) -> dict[str, object]:
    return {name: bytes(value) if isinstance(value, memoryview) else value for name, value in one.__dict__.items()}


@pytest.mark.both
@pytest.mark.parametrize("model", [Match, Seat, Turn])
def test_what_is_read_is_what_the_orm_reads(db: None, model: type[Model]) -> None:
    play_on(seated(member("ann"), member("bob")), Random(1), turns=7)
    columns = ", ".join(f'"{field.column}"' for field in model._meta.concrete_fields)
    found = sql.read(model, f'SELECT {columns} FROM "{model._meta.db_table}" ORDER BY id', [])
    wanted = of_a_match(model)
    assert len(found) == len(wanted) > 0
    for mine, theirs in zip(found, wanted, strict=True):
        state, wanted_state = mine.__dict__.pop("_state"), theirs.__dict__.pop("_state")
        assert (state.adding, state.db, state.fields_cache) == (False, wanted_state.db, {})
        assert plain(mine) == plain(theirs)


@pytest.mark.both
def test_what_is_not_read_is_fetched_when_it_is_wanted(db: None) -> None:
    seated(member("ann"), member("bob"))
    [match] = sql.read(Match, "SELECT id, version FROM games_match", [])
    assert "status" in match.get_deferred_fields()
    assert match.status == Match.Status.RUNNING
    match.version += 1
    match.save(update_fields=["version"])
    assert Match.objects.get().version == match.version


@pytest.mark.both
@pytest.mark.parametrize("model", [Match, Seat, Turn, PlayedKey])
def test_what_is_written_is_what_the_orm_writes(db: None, model: type[Model]) -> None:
    """Values of other types than the column's too: an enumeration's, a number for a truth."""
    play_on(seated(member("ann"), member("bob")), Random(1), turns=7)
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    columns = [column for column in sql._columns(fields, connection.vendor) if column[1]]  # the others are the ORM's
    for one in of_a_match(model):
        assert sql._prepared(one, columns) == [
            field.get_db_prep_save(getattr(one, name), connection) for name, _plain, field in columns
        ]
    for column in columns:
        name, plain_type, field = column
        for value in VALUES[plain_type or str]:
            setattr(one, name, value)
            [mine] = sql._prepared(one, [column])
            theirs = field.get_db_prep_save(value, connection)
            assert (type(mine), mine) == (type(theirs), theirs), name
