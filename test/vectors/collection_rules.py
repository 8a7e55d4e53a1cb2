"""Fields of a kind of docs/protocol/sync.md."""

import re

from sync_rules import decode_part


def parts_of(field, payload):
    """Values by the device or element that the name of their field ends with."""
    named = ((name.removeprefix(f"{field}/"), value) for name, value in payload.items() if name.startswith(f"{field}/"))
    return {decode_part(part): value for part, value in named if decode_part(part) is not None}


def is_count(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= 2**53 - 1


def counter_value(field, payload):
    value = payload[field] if is_count(payload.get(field)) else 0
    parts = parts_of(field, payload)
    for part in sorted(part for part in parts if is_count(parts[part])):
        value += parts[part]
    return value


def code_units(text):
    return text.encode("utf-16-be")


def set_elements(field, payload):
    listed = payload.get(field)
    elements = {one for one in listed if isinstance(one, str)} if isinstance(listed, list) else set()
    for element, value in parts_of(field, payload).items():
        (elements.add if value is True else elements.discard)(element)
    return sorted(elements, key=code_units)


def is_order_key(key):
    if not isinstance(key, str) or not re.fullmatch(r"[A-Za-z][0-9A-Za-z]+", key):
        return False
    digits = ord(key[0]) - 96 if key[0] >= "a" else 91 - ord(key[0])
    integer, fraction = key[: digits + 1], key[digits + 1 :]
    return len(integer) == digits + 1 and not fraction.endswith("0") and key != "A" + "0" * 26


def in_order(field, payloads):
    def place(entity_id):
        key = payloads[entity_id].get(field)
        return (0, code_units(key), code_units(entity_id)) if is_order_key(key) else (1, b"", code_units(entity_id))

    return sorted(payloads, key=place)
