"""Static files as they are collected: what a browser needs of them, and no more."""

import re

import pytest
from django.contrib.staticfiles import finders
from django.core.files.storage import FileSystemStorage

from config.static_files import COMMENTS, WithoutComments

OWN = ("site/", "games/", "accounts/", "leaderboards/", "moderation/")


def own_files() -> list[tuple[FileSystemStorage, str]]:
    return [
        (storage, path)
        for finder in finders.get_finders()
        for path, storage in finder.list([])
        if path.startswith(OWN) and path.endswith((".css", ".js"))
    ]


def test_no_comment_is_sent_and_nothing_else_is_left_out() -> None:
    files = own_files()
    assert len(files) > 15
    saved = 0
    for storage, path in files:
        with storage.open(path) as file:
            text = file.read().decode()
        bare = WithoutComments(storage).open(path).read().decode()
        saved += len(text) - len(bare)
        assert not re.search(r"^\s*//", bare, re.M), path
        assert path.endswith(".js") or "/*" not in bare.replace("/*!", ""), path
        assert bare.count("{") == bare.count("}") > 0, path
    assert saved > 10_000


@pytest.mark.parametrize(
    ("end", "text", "bare"),
    [
        (".css", "/* why */\na { b: c } /* how\nlong */\nd { e: f }\n", "a { b: c } d { e: f }\n"),
        (".css", "/*! licence */\na { b: c }\n", "/*! licence */\na { b: c }\n"),
        (
            ".js",
            "// why\nlet a = 1; // kept\n  // how\nconst b = 'https://c';\n",
            "let a = 1; // kept\nconst b = 'https://c';\n",
        ),
    ],
)
def test_what_is_a_comment(end: str, text: str, bare: str) -> None:
    assert COMMENTS[end].sub("", text) == bare
