"""The rules of docs/protocol/sync.md."""

import base64
import json
import re
from decimal import Decimal
from urllib.parse import quote, unquote

from texts import is_date, parse_date_time

KINDS = ("create", "patch", "delete", "restore")
MEMBERS = {
    "protocolVersion", "operationId", "kind", "revision", "document", "changedFields", "changedMetadataFields",
}
DOCUMENT_MEMBERS = {"schemaVersion", "entityId", "deleted", "payload"}
DEVICE_ID = re.compile(r"[A-Za-z0-9._~-]{1,128}")
MAX_SEQUENCE = 2**53 - 1
MAX_STEP = 2**20
MAX_FIRST = 2**40


class Refused(Exception):
    """An operation breaks the rule of this code."""


class RepeatedMember(ValueError):
    pass


def refuse_unless(holds, code):
    if not holds:
        raise Refused(code)


def parse_json(text):
    """Numbers keep their decimal value; a name that is given twice in one object is an error."""

    def to_object(pairs):
        members = dict(pairs)
        if len(members) < len(pairs):
            raise RepeatedMember
        return members

    return json.loads(text, object_pairs_hook=to_object, parse_float=Decimal)


# Validation


def validate(text, profile):
    """Raises Refused with the code of a rule that the operation breaks."""
    refuse_unless(len(text.encode()) <= (163_840 if profile == "sealed" else 65_536), "too_large")
    try:
        operation = parse_json(text)
    except RepeatedMember:
        raise Refused("member_repeated") from None
    check_operation(operation, profile)


def check_operation(operation, profile):
    check_bounds(operation, 1, profile == "sealed")
    check_shape(operation)
    check_revision(operation)
    check_tombstone(operation)
    if profile == "sealed":
        check_sealed(operation)
    else:
        check_fields(operation)
        check_entity(operation, profile)


def check_bounds(value, level, is_sealed):
    if isinstance(value, str) and not is_sealed:
        refuse_unless(len(value) <= 32_768, "string_too_long")
    if not isinstance(value, (dict, list)):
        return
    refuse_unless(level <= 16, "nested_too_deeply")
    if isinstance(value, dict) and not is_sealed:
        for name in value:
            refuse_unless(len(name) <= 32_768, "string_too_long")
            refuse_unless(not names_secret(name), "secret_name")
    for inner in value.values() if isinstance(value, dict) else value:
        check_bounds(inner, level + 1, is_sealed)


def names_secret(name):
    secret, qualifier = "(token|secret|password|credential|apikey)s?", "access|refresh|auth|bearer|client|id|session"
    words = re.sub(r"[\s._-]", "", name).lower()
    return re.fullmatch(f"({qualifier}|{secret})*", words) is not None and re.search(secret, words) is not None


def check_shape(operation):
    refuse_unless(isinstance(operation, dict) and set(operation) == MEMBERS, "operation_shape")
    refuse_unless(isinstance(operation["operationId"], str), "operation_shape")
    revision, document = operation["revision"], operation["document"]
    refuse_unless(isinstance(revision, dict) and set(revision) == {"deviceId", "sequence"}, "operation_shape")
    refuse_unless(isinstance(document, dict), "operation_shape")
    for names in (operation["changedFields"], operation["changedMetadataFields"]):
        is_text_list = isinstance(names, list) and all(isinstance(name, str) for name in names)
        refuse_unless(is_text_list, "operation_shape")
    refuse_unless(is_number(operation["protocolVersion"]) and operation["protocolVersion"] == 1, "protocol_version")
    refuse_unless(operation["kind"] in KINDS, "kind_unknown")
    version = document.get("schemaVersion")
    refuse_unless(is_number(version) and version == 1, "schema_version")
    refuse_unless(isinstance(document.get("entityId"), str), "document_shape")
    refuse_unless(isinstance(document.get("deleted"), bool), "document_shape")
    refuse_unless(isinstance(document.get("payload", {}), dict), "document_shape")


def is_number(value):
    return isinstance(value, (int, Decimal)) and not isinstance(value, bool)


def check_revision(operation):
    device_id, sequence = operation["revision"]["deviceId"], operation["revision"]["sequence"]
    refuse_unless(isinstance(device_id, str) and DEVICE_ID.fullmatch(device_id), "revision_device")
    is_integer = isinstance(sequence, int) and not isinstance(sequence, bool)
    refuse_unless(is_integer and 1 <= sequence <= MAX_SEQUENCE, "revision_sequence")
    refuse_unless(operation["operationId"] == f"operation/{device_id}/{sequence}", "operation_id")


def check_tombstone(operation):
    kind, document = operation["kind"], operation["document"]
    refuse_unless(document["deleted"] == (kind == "delete"), "deleted_mismatch")
    refuse_unless(not (document["deleted"] and "payload" in document), "tombstone_payload")
    refuse_unless(document["deleted"] or "payload" in document, "payload_missing")


def check_fields(operation):
    kind, document = operation["kind"], operation["document"]
    payload, metadata = document.get("payload", {}), metadata_of(document)
    refuse_unless(max(len(payload), len(metadata)) <= 256, "too_many_fields")
    changed = ((operation["changedFields"], payload), (operation["changedMetadataFields"], metadata))
    for names, fields in changed:
        refuse_unless(all(name in fields for name in names), "changed_unknown")
        refuse_unless(len(set(names)) == len(names), "changed_repeated")
        refuse_unless(kind not in ("create", "restore") or len(names) == len(fields), "changed_incomplete")
    refuse_unless(kind != "patch" or any(names for names, _ in changed), "changed_none")


def metadata_of(document):
    return {name: value for name, value in document.items() if name not in DOCUMENT_MEMBERS}


def check_sealed(operation):
    document = operation["document"]
    payload, metadata = document.get("payload", {}), metadata_of(document)
    kind, _, identity = document["entityId"].partition("/")
    refuse_unless(kind == "sealed" and byte_count(identity) == 32, "not_sealed")
    for members in (payload, metadata):
        refuse_unless(list(members) == sorted(members), "not_sealed")
    refuse_unless(key_id_of(metadata.pop("sealed", None)) is not None, "not_sealed")
    for name, value in [*payload.items(), *metadata.items()]:
        refuse_unless(byte_count(name) == 16 and value == "", "not_sealed")
    changed = operation["changedFields"], operation["changedMetadataFields"]
    refuse_unless(changed == (list(payload), list(metadata)), "not_sealed")
    refuse_unless(max(len(payload), len(metadata)) <= 256, "too_many_fields")
    refuse_unless(operation["kind"] != "patch" or payload or metadata, "changed_none")


def key_id_of(envelope):
    """None of what is no envelope."""
    if not isinstance(envelope, str) or envelope.count(".") != 2:
        return None
    version, key_id, content = envelope.split(".")
    is_envelope = version == "2" and byte_count(key_id) == 16 and byte_count(content) >= 40
    return key_id if is_envelope else None


def byte_count(text):
    """Of unpadded base64url whose unused bits are zero; -1 of anything else."""
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text) or len(text) % 4 == 1:
        return -1
    content = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    is_canonical = base64.urlsafe_b64encode(content).decode().rstrip("=") == text
    return len(content) if is_canonical else -1


def check_entity(operation, profile):
    document = operation["document"]
    kind, parts = parse_entity_id(document["entityId"])
    if profile == "open":
        refuse_unless(re.fullmatch(r"[a-z][a-z0-9-]{0,31}", kind), "entity_id")
        return
    is_entry = kind == "entry" and len(parts) == 2 and is_date(parts[1])
    refuse_unless(is_entry or (kind in ("habit", "setting") and len(parts) == 1), "entity_id")
    refuse_unless(kind != "setting" or not names_secret(parts[0]), "secret_name")
    if "payload" in document:
        check_payload(kind, parts, document["payload"])


def parse_entity_id(text):
    kind, *encoded = text.split("/")
    parts = [decode_part(part) for part in encoded]
    refuse_unless(len(text) <= 2048 and parts and None not in parts and "" not in parts, "entity_id")
    return kind, parts


def decode_part(part):
    """Percent-encoding in the one spelling of encodeURIComponent, or None."""
    try:
        decoded = unquote(part, errors="strict")
    except UnicodeDecodeError:
        return None
    return decoded if quote(decoded, safe="!'()*") == part else None


def is_text(value):
    return isinstance(value, str) and value != ""


def is_bool(value):
    return isinstance(value, bool)


def is_day_list(value):
    is_days = isinstance(value, list) and all(type(day) is int and 1 <= day <= 7 for day in value)
    return value is None or (is_days and len(set(value)) == len(value))


def is_time_of_day(value):
    return value is None or (isinstance(value, str) and re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", value, re.ASCII))


def is_moment(value):
    forms = (value, f"{value}Z") if isinstance(value, str) else ()
    return any(parse_date_time(form) is not None for form in forms)


def at_least(minimum):
    return lambda value: is_number(value) and value >= minimum


REQUIRED = {
    "habit": {
        "name": is_text, "color": is_text, "icon": is_text, "category": is_text,
        "frequency": lambda value: value in ("daily", "weekly", "custom"),
        "targetCount": at_least(1), "isActive": is_bool, "createdAt": is_moment,
        "description": lambda value: value is None or isinstance(value, str),
    },
    "entry": {
        "id": lambda value: is_text(value) and len(value) <= 128,
        "completed": is_bool, "count": at_least(0), "timestamp": is_moment,
    },
}
OPTIONAL = {"customDays": is_day_list, "notificationEnabled": is_bool, "notificationTime": is_time_of_day}


def check_payload(kind, parts, payload):
    if kind == "setting":
        refuse_unless(set(payload) == {"value"}, "setting_members")
        text = json.dumps(payload["value"], ensure_ascii=False, separators=(",", ":"), default=str)
        refuse_unless(len(text.encode()) <= 4096, "setting_too_large")
        return
    identity = {"id": parts[0]} if kind == "habit" else {"habitId": parts[0], "date": parts[1]}
    refuse_unless(all(payload.get(name) == value for name, value in identity.items()), "payload_identity")
    for name, accepts in REQUIRED[kind].items():
        refuse_unless(name in payload and accepts(payload[name]), "payload_field_type")
    for name, accepts in OPTIONAL.items() if kind == "habit" else ():
        refuse_unless(name not in payload or accepts(payload[name]), "payload_field_type")


# Pushes


def push(stored, operations):
    """Receipts, or the refused indexes with their codes, of texts that are valid by themselves."""
    log, greatest = {}, None
    entities = {}
    for text in stored:
        operation = parse_json(text)
        log[operation["operationId"]] = (len(log) + 1, content_of(operation))
        greatest = max(greatest or 0, operation["revision"]["sequence"])
        merge_into(entities, operation)
    receipts, refused = [], []
    for index, operation in enumerate(map(parse_json, operations)):
        known = log.get(operation["operationId"])
        sequence = operation["revision"]["sequence"]
        reach = MAX_FIRST if greatest is None else greatest + MAX_STEP
        if known is not None:
            if known[1] != content_of(operation):
                refused.append({"index": index, "code": "id_reused"})
            receipts.append({"offset": known[0], "duplicate": True, "changed": False})
        elif sequence > reach:
            refused.append({"index": index, "code": "sequence_jump"})
        else:
            greatest = max(greatest or 0, sequence)
            log[operation["operationId"]] = (len(log) + 1, content_of(operation))
            changed = merge_into(entities, operation)
            receipts.append({"offset": len(log), "duplicate": False, "changed": changed})
    # Conflicts are looked for once every operation is valid.
    invalid = [one for one in refused if one["code"] != "id_reused"] or refused
    return {"kind": "refused", "refused": invalid} if refused else {"kind": "stored", "receipts": receipts}


def content_of(operation):
    names = ("changedFields", "changedMetadataFields")
    return operation | {name: sorted(operation[name]) for name in names}


def merge_into(entities, operation):
    """Whether any register of the entity moved."""
    entity_id = operation["document"]["entityId"]
    before = entities.get(entity_id)
    entities[entity_id] = merge(before, operation)
    return entities[entity_id] != before


# Merge


def order(revision):
    # Device ids are ASCII, whose code points are their code units.
    return (-1, "") if revision is None else (revision["sequence"], revision["deviceId"])


def latest(revision, other):
    return max(revision, other, key=order)


def merge(state, operation):
    """The entity as a snapshot has it, with the operation; a state is never changed in place."""
    kind, revision, document = operation["kind"], operation["revision"], operation["document"]
    state = state or {
        "entityId": document["entityId"], "lifecycleRevision": None, "deletedRevision": None, "deleted": False,
        "payloadFields": {}, "metadataFields": {},
    }
    merged = dict(state)
    if kind != "patch":
        merged["lifecycleRevision"] = latest(state["lifecycleRevision"], revision)
    if kind == "delete":
        merged["deletedRevision"] = latest(state["deletedRevision"], revision)
    if merged["lifecycleRevision"] is not None:
        merged["deleted"] = merged["lifecycleRevision"] == merged["deletedRevision"]
    changed = (
        ("payloadFields", operation["changedFields"], document.get("payload", {})),
        ("metadataFields", operation["changedMetadataFields"], document),
    )
    for registers, names, values in changed:
        written = {name: {"value": values[name], "revision": revision} for name in names}
        merged[registers] = merge_registers(state[registers], written)
    return merged


def merge_registers(registers, written):
    merged = dict(registers)
    for name, register in written.items():
        if name not in merged or register_order(register) > register_order(merged[name]):
            merged[name] = register
    return merged


def register_order(register):
    text = json.dumps(register["value"], ensure_ascii=False, separators=(",", ":"), default=str)
    return (order(register["revision"]), text)


def visible(state):
    if state["lifecycleRevision"] is None:
        return None
    values = {
        name: {
            field: register["value"]
            for field, register in state[registers].items()
            if order(register["revision"]) >= order(state["deletedRevision"])
        }
        for name, registers in (("payload", "payloadFields"), ("metadata", "metadataFields"))
    }
    if state["deleted"]:
        values["payload"] = {}
    return {"entityId": state["entityId"], "deleted": state["deleted"]} | values


# Pulling


def read_pull(cursor, limit, status, body):
    """What a client does with a response of GET /v1/pull."""
    stop, start_over = {"action": "stop"}, {"action": "start-over"}
    try:
        page = json.loads(body)
    except ValueError:
        page = None
    if status != 200:
        code = page.get("error") if isinstance(page, dict) else None
        if code == "invalid_cursor" and cursor is not None:
            return start_over
        return {"action": "wait"} if status == 429 or status >= 500 else stop
    if not isinstance(page, dict):
        return stop
    if page.get("requiresSnapshot") is True:
        return start_over
    following = page.get("cursor")
    if not isinstance(following, str) or not re.fullmatch(r"[\x21-\x7e]{1,2048}", following):
        return stop
    try:
        operations = parse_json(body)["operations"]
        for operation in operations:
            check_operation(operation, "open")
    except (Refused, RepeatedMember, KeyError, TypeError):
        return stop
    if any(one["revision"]["sequence"] > MAX_SEQUENCE - MAX_STEP for one in operations):
        return stop
    ids = [one["operationId"] for one in operations]
    offset, head = cursor_offset(following), page.get("headOffset")
    if offset is not None and is_number(head):
        again = bool(ids) and offset < head
    else:
        again = len(ids) >= limit
        offset = head if not again and is_number(head) else None
    return {"action": "merge", "operationIds": ids, "cursor": following, "offset": offset, "again": again}


def cursor_offset(cursor):
    """The offset in a cursor of Trellis; None in any other."""
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        place = json.loads(text.decode("utf-8"))
    except ValueError:
        return None
    if not isinstance(place, dict) or place.get("version") != 1:
        return None
    return place.get("offset")


def read_receipts(offset, receipts):
    """The place from which a device goes on after its push, or None when it has to pull."""
    follows = offset is not None and all(
        receipt["offset"] == offset + index and not receipt["duplicate"]
        for index, receipt in enumerate(receipts, start=1)
    )
    return {"cursor": receipts[-1]["cursor"], "offset": offset + len(receipts)} if follows else None
