"""Options, orders, prompts and moves as JSON Schema, made from the engine's own descriptions and types."""

from typing import Any

import msgspec

from games.engine.codec import MoveCodec
from games.engine.prompt import Description, Move, Prompt

Schema = dict[str, Any]


def of_description(field: Any) -> Schema:
    """The schema of what a description allows; of a field that is none, of that value alone."""
    if not isinstance(field, dict):
        return {"const": field}
    schema = _of_kind(field)
    return {"anyOf": [schema, {"type": "null"}]} if "null" in field else schema


def _of_kind(field: Description) -> Schema:
    if "one_of" in field:
        return {"enum": list(field["one_of"])}
    if "subset_of" in field:
        limits = {"minItems": field.get("min", 0), "maxItems": field.get("max", len(field["subset_of"]))}
        return {"type": "array", "items": {"enum": list(field["subset_of"])}, "uniqueItems": True, **limits}
    if "list_of" in field:
        return {"type": "array", "items": of_description(field["list_of"])}
    if "text" in field:
        return {"type": "string", "maxLength": field["text"]["max_length"]}
    if "min" not in field:
        return _of_fields(field)
    schema: Schema = {"type": "integer", "minimum": field["min"], "maximum": field["max"]}
    if (step := field.get("step", 1)) > 1 and field["min"] % step == 0:
        return schema | {"multipleOf": step}
    return schema if step == 1 else {"enum": list(range(field["min"], field["max"] + 1, step))}


def _of_fields(fields: dict[str, Any], optional: Any = ()) -> Schema:
    return {
        "type": "object",
        "properties": {name: of_description(field) for name, field in fields.items()},
        "required": [name for name in fields if name not in optional],
        "additionalProperties": False,
    }


def of_entry(entry: Move) -> Schema:
    """The schema of the moves that one entry of a prompt permits."""
    named = {name: field for name, field in entry.items() if name != "may_omit"}
    return _of_fields(named, entry.get("may_omit", ()))


def of_prompt(prompt: Prompt) -> Schema:
    """The schema of the moves that a prompt permits."""
    return {"anyOf": [of_entry(entry) for entry in prompt["moves"]]} if prompt["moves"] else {"not": {}}


def of_fields(fields: dict[str, Description]) -> Schema:
    """The schema of options or orders, none of which has to be given."""
    return _of_fields(fields, fields)


def of_moves(codec: MoveCodec) -> Schema:
    """The schema of all moves of a game, from their types."""
    kinds = codec.kinds
    if not kinds:
        return {"not": {}}
    schemas, components = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    return {"anyOf": list(schemas), "$defs": components}


DESCRIPTION: Schema = {
    "description": "A value that a field must have, or a description of the values that it may have.",
    "anyOf": [
        {"type": ["string", "integer", "boolean", "null", "array"]},
        {"type": "object", "properties": {"one_of": {"type": "array"}}, "required": ["one_of"]},
        {
            "type": "object",
            "properties": {
                "subset_of": {"type": "array"},
                "min": {"type": "integer"},
                "max": {"type": "integer"},
            },
            "required": ["subset_of"],
        },
        {
            "type": "object",
            "properties": {
                "min": {"type": "integer"},
                "max": {"type": "integer"},
                "step": {"type": "integer"},
            },
            "required": ["min", "max"],
        },
        {
            "type": "object",
            "properties": {"text": {"type": "object", "properties": {"max_length": {"type": "integer"}}}},
            "required": ["text"],
        },
        {"type": "object", "properties": {"list_of": {}}, "required": ["list_of"]},
    ],
}
"""The schema of a description within a prompt, whatever the game."""


def of_prompts(codec: MoveCodec) -> Schema:
    """The schema of a game's prompts: entries that are moves, whose fields may be descriptions."""
    entry = {
        "type": "object",
        "properties": {
            "type": {"enum": list(codec.types)},
            "may_omit": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["type"],
        "additionalProperties": {"$ref": "#/$defs/description"},
    }
    return {
        "type": "object",
        "properties": {
            "phase": {"type": "string"},
            "moves": {"type": "array", "items": entry},
            "optional": {"type": "boolean"},
        },
        "required": ["phase", "moves", "optional"],
        "$defs": {"description": DESCRIPTION},
    }
