"""Whether an answer fits the description of its operation."""

from functools import cache
from typing import Any

import jsonschema_rs

from games.api import openapi


def fits(method: str, path: str, response: Any) -> None:
    """Check an answer against what the description says of its status and kind."""
    validator_of(method.lower(), path, response.status_code, response["Content-Type"].partition(";")[0]).validate(
        response.json()
    )


@cache
def validator_of(method: str, path: str, status: int, kind: str) -> Any:
    whole = openapi.schema("en")
    responses = whole["paths"][path][method]["responses"]
    content = responses.get(str(status), responses["default"])["content"]
    return jsonschema_rs.validator_for(content[kind]["schema"] | {"components": whole["components"]})
