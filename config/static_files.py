"""Static files: those that were there when this process started, and those of the next release, which come later."""

import os
import re
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.files import File
from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

HASHED = re.compile(r"\.[0-9a-f]{12}\.[a-z0-9]+$")  # the end of a collected file's name: of one content alone

FOREIGN = ("admin/",)  # of packages, whose files stay as they are
COMMENTS = {  # by the end of a name: what is for who reads the source, a seventh of what a page would weigh
    ".css": re.compile(r"/\*(?!!).*?\*/[ \t]*\n?", re.DOTALL),
    ".js": re.compile(r"^[ \t]*//.*\n", re.MULTILINE),
}


class WithoutComments:
    """A place of static files, which are read without their comments."""

    def __init__(self, place: Storage) -> None:
        self.place = place

    def open(self, name: str) -> File:
        """Return a file."""
        with self.place.open(name) as file:
            text = file.read().decode()
        return ContentFile(COMMENTS[os.path.splitext(name)[1]].sub("", text).encode())


class Collected(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Static files as they are sent: named by their content, compressed, without comments."""

    support_js_module_import_aggregation = True  # a script names the one that it needs, and never runs without it

    def __init__(self, *about: Any, **options: Any) -> None:
        super().__init__(*about, **options)
        self._urls: dict[str, str] = {}

    def url(self, name: str, force: bool = False) -> str:
        """Return the address of a file: of those that were collected before this process started, looked up once."""
        found = self._urls.get(name)
        if found is None:
            found = str(super().url(name, force))
            if name in self.hashed_files and not settings.DEBUG:
                self._urls[name] = found
        return found

    def post_process(self, paths: dict[str, tuple[Any, str]], *rest: Any, **options: Any) -> Iterator[Any]:
        """Name and compress the files that were collected; yield what became of each."""
        own = {name for name in paths if os.path.splitext(name)[1] in COMMENTS and not name.startswith(FOREIGN)}
        bare = {name: (WithoutComments(place) if name in own else place, path) for name, (place, path) in paths.items()}
        yield from super().post_process(bare, *rest, **options)


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]
    """WhiteNoise, which while one release replaces the other serves the files of both.

    A page that a web server of the next release made asks any web server for its style sheets.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        url = request.path_info
        if url.startswith(self.static_prefix) and url not in self.files and HASHED.search(url):
            self._look_again(url)
        answer: HttpResponse = super().__call__(request)
        return answer

    def _look_again(self, url: str) -> None:
        root = os.path.join(os.path.abspath(self.static_root), "")
        path = os.path.join(root, url.removeprefix(self.static_prefix))
        if self.url_is_canonical(url) and self.path_is_child_of(path, root) and os.path.isfile(path):
            self.add_file_to_dictionary(url, path)
