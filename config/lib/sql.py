"""Reads and writes by prepared statements, for every request and move (all else uses the ORM); reads of one moment.

Django takes several times as long to build such a statement as the database to execute it
(docs/decisions/0003-written-out-reads.md).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import groupby
from typing import Any, TypeVar

from django.db import connection, connections, transaction
from django.db.models import BooleanField, CharField, Field, ForeignKey, IntegerField, Model, Q, TextField
from django.db.models.base import ModelState
from django.db.models.expressions import DatabaseDefault

M = TypeVar("M", bound=Model)
N = TypeVar("N", bound=Model)
Convert = Callable[[Any], Any]
Column = tuple[str, type | None, Field]  # the attribute, and of which type a value is that goes as it is


@contextmanager
def snapshot() -> Iterator[None]:
    """Let all reads within see the database as it is at one moment; also a decorator. Nothing is written within.

    Within a transaction it changes nothing: that has locked what it reads.
    """
    if connection.in_atomic_block:
        yield
        return
    connection.ensure_connection()
    is_sqlite, actual = connection.vendor == "sqlite", connections[connection.alias]
    mode = getattr(actual, "transaction_mode", None)
    if is_sqlite:
        setattr(actual, "transaction_mode", "DEFERRED")  # noqa: B010 (SQLite's alone); readers wait for no writer
    try:
        with transaction.atomic():
            if not is_sqlite:
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    finally:
        if is_sqlite:
            setattr(actual, "transaction_mode", mode)  # noqa: B010


def kept(model: type[Model], numbers: Iterable[int]) -> set[int]:
    """Return which of these rows there are, and keep them until the transaction ends: nobody deletes them meanwhile.

    Who deletes one now is waited for. What else is written to them holds up nobody, and waits for nobody.
    """
    wanted = sorted(set(numbers))
    if not wanted:
        return set()
    statement = f'SELECT "id" FROM "{model._meta.db_table}" WHERE "id" IN ({", ".join(["%s"] * len(wanted))})'  # noqa: S608
    statement += "" if connection.vendor == "sqlite" else ' ORDER BY "id" FOR KEY SHARE'
    with connection.cursor() as cursor:
        cursor.execute(statement, wanted)
        return {number for (number,) in cursor.fetchall()}


def hold(kind: int, number: int) -> None:
    """Wait until nobody else holds this, and hold it until the transaction ends; SQLite has one writer anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [kind, number % 2**31])


def begins(field: str, text: str) -> Q:
    """Return the condition that an indexed text begins so, case as it is, which both databases ask their index.

    SQLite asks none for LIKE; PostgreSQL sorts by the rules of a language, and has one for LIKE beside it.
    """
    if connection.vendor == "sqlite":
        return Q(**{f"{field}__gte": text, f"{field}__lt": f"{text}\U0010ffff"})
    return Q(**{f"{field}__startswith": text})


def read(model: type[M], select: str, parameters: Sequence[Any]) -> list[M]:
    """Return an instance for each row of a SELECT; other fields are deferred, other columns attributes."""
    columns, rows = _rows(select, parameters)
    return _instances(model, columns, rows)


def read_with(one: type[N], model: type[M], select: str, parameters: Sequence[Any]) -> tuple[N, list[M]] | None:
    """Return one instance and those that belong to it, all read by one statement; None without rows.

    Its columns come first, and each part begins with its "id".
    """
    columns, rows = _rows(select, parameters)
    if not rows:
        return None
    border = columns.index("id", 1)
    [found] = _instances(one, columns[:border], [rows[0][:border]])
    return found, _instances(model, columns[border:], [row[border:] for row in rows])


def _rows(select: str, parameters: Sequence[Any]) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    with connection.cursor() as cursor:
        cursor.execute(select, parameters)
        return tuple(column[0] for column in cursor.description), cursor.fetchall()


def _instances(model: type[M], columns: tuple[str, ...], rows: Iterable[tuple[Any, ...]]) -> list[M]:
    names, of_fields, extras = _plan(model, columns, connection.vendor)
    alias, found = connection.alias, []
    for row in rows:
        values = [row[i] if convert is None else convert(row[i]) for i, convert in of_fields]
        instance = model.__new__(model)  # and none of `from_db`, whose signals nobody hears
        own = instance.__dict__
        own["_state"] = state = ModelState()
        state.adding, state.db = False, alias
        own.update(zip(names, values, strict=True))
        for i, name in extras:
            setattr(instance, name, row[i])
        found.append(instance)
    return found


def update(instance: Model, names: Iterable[str]) -> None:
    """Update the named fields of an instance."""
    statement, fields = _update(type(instance), tuple(names), connection.vendor)
    with connection.cursor() as cursor:
        cursor.execute(statement, [*_prepared(instance, fields), instance.pk])


def insert(instances: Sequence[Model]) -> None:
    """Insert instances of one model, without setting their primary keys.

    What an instance leaves to the database, as a column that is new in this release, is not named.
    """
    for given, alike in groupby(instances, _given):
        rows = list(alike)
        head, row, fields = _insert(type(rows[0]), given, connection.vendor)
        values = [value for instance in rows for value in _prepared(instance, fields)]
        with connection.cursor() as cursor:
            cursor.execute(head + ", ".join([row] * len(rows)), values)


def _given(instance: Model) -> tuple[str, ...]:
    """Return the names of the attributes that are not left to the database."""
    held = instance.__dict__
    names = [field.attname for field in instance._meta.concrete_fields if not field.primary_key]
    return tuple(name for name in names if not isinstance(held.get(name), DatabaseDefault))


def _prepared(instance: Model, fields: Iterable[Column]) -> list[Any]:
    values = []
    for name, plain, field in fields:
        value = getattr(instance, name)
        is_plain = plain is not None and (value is None or type(value) is plain)
        values.append(value if is_plain else field.get_db_prep_save(value, connection))
    return values


Plan = tuple[list[str], list[tuple[int, Convert | None]], list[tuple[int, str]]]


@cache
def _plan(model: type[Model], columns: tuple[str, ...], vendor: str) -> Plan:
    """Return the names of the fields among the columns, their index and converter, and the other columns."""
    places = {column: i for i, column in enumerate(columns)}
    fields = [field for field in model._meta.concrete_fields if field.column in places]
    own = {field.column for field in fields}
    return (
        [field.attname for field in fields],
        [(places[str(field.column)], _converter(field)) for field in fields],
        [(i, column) for column, i in places.items() if column not in own],
    )


def _converter(field: Field) -> Convert | None:
    """Return the converter from a column's to a field's value, as Django's compiler has it; None for none."""
    column = field.get_col(field.model._meta.db_table)
    steps = [*connection.ops.get_db_converters(column), *column.get_db_converters(connection)]
    if not steps:
        return None

    def convert(value: Any) -> Any:
        for step in steps:
            value = step(value, column, connection)
        return value

    return convert


def _columns(fields: Iterable[Field], vendor: str) -> list[Column]:
    return [(field.attname, _plain(field, vendor), field) for field in fields]


def _plain(field: Field, vendor: str) -> type | None:
    """Return the type of which a value, or None, is given to the database as it is; None if all are to be prepared."""
    kind = field.target_field if isinstance(field, ForeignKey) else field
    if isinstance(kind, IntegerField):
        return int if vendor == "sqlite" else None  # the driver of PostgreSQL is told how large they may be
    if isinstance(kind, BooleanField):
        return bool
    return str if type(kind) in (CharField, TextField) else None


@cache
def _update(model: type[Model], names: tuple[str, ...], vendor: str) -> tuple[str, list[Column]]:
    by_name = {field.name: field for field in model._meta.concrete_fields}
    fields = [by_name[name] for name in names]
    changes = ", ".join(f'"{field.column}" = %s' for field in fields)
    statement = f'UPDATE "{model._meta.db_table}" SET {changes} WHERE "id" = %s'  # noqa: S608 (names of ours)
    return statement, _columns(fields, vendor)


@cache
def _insert(model: type[Model], given: tuple[str, ...], vendor: str) -> tuple[str, str, list[Column]]:
    fields = [field for field in model._meta.concrete_fields if field.attname in given]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    row = f"({', '.join(['%s'] * len(fields))})"
    return f'INSERT INTO "{model._meta.db_table}" ({columns}) VALUES ', row, _columns(fields, vendor)  # noqa: S608
