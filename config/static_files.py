"""Static files: those that were there when this process started, and those of the next release, which come later."""

import os
import re

from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware

HASHED = re.compile(r"\.[0-9a-f]{12}\.[a-z0-9]+$")  # the end of a collected file's name: of one content alone


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
