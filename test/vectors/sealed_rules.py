"""The rules of docs/protocol/sealed.md."""

import hashlib
import hmac
import json
import os
import re
import struct

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from sync_rules import order
from texts import decode_base64url, encode_base64url

CONTEXT = "trellis/sealed/1"
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
VALUE = re.compile(r"1\.([A-Za-z0-9_-]{8})\.([A-Za-z0-9_-]{54,})")


# XChaCha20-Poly1305


def hchacha20(key, nonce):
    """The first half of the extended nonce and the key make the key of ChaCha20."""
    state = [*struct.unpack("<4I", b"expand 32-byte k"), *struct.unpack("<8I", key), *struct.unpack("<4I", nonce)]

    def quarter(a, b, c, d):
        for target, source, mixed, bits in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            state[target] = (state[target] + state[source]) & 0xFFFFFFFF
            word = state[mixed] ^ state[target]
            state[mixed] = ((word << bits) | (word >> (32 - bits))) & 0xFFFFFFFF

    for _ in range(10):
        for column in range(4):
            quarter(column, 4 + column, 8 + column, 12 + column)
        for column in range(4):
            quarter(column, 4 + (column + 1) % 4, 8 + (column + 2) % 4, 12 + (column + 3) % 4)
    return struct.pack("<8I", *state[:4], *state[12:])


def xchacha20_poly1305(key, nonce):
    return ChaCha20Poly1305(hchacha20(key, nonce[:16])), bytes(4) + nonce[16:]


# Keys and names


def hkdf(key, info, length):
    extracted = hmac.digest(bytes(32), key, "sha256")
    return hmac.digest(extracted, f"{CONTEXT}/{info}".encode() + b"\1", "sha256")[:length]


def key_id(data_key):
    return encode_base64url(hkdf(data_key, "key-id", 6))


def sealed_id(name_key, entity_id):
    return "sealed/" + encode_base64url(hmac.digest(hkdf(name_key, "entity-id", 32), entity_id.encode(), "sha256"))


def field_name(name_key, entity_id, part, name):
    text = "\n".join((entity_id, part, name)).encode()
    return encode_base64url(hmac.digest(hkdf(name_key, "field-name", 32), text, "sha256")[:16])


def app_field_name(name_key, entity_id, part, name):
    """None for a name that a field of an app cannot have."""
    is_ill_formed = any("\ud800" <= character <= "\udfff" for character in name)
    return None if is_ill_formed or (part, name) == ("metadata", "") else field_name(name_key, entity_id, part, name)


KEY_ENTITY = "sealed/" + encode_base64url(hashlib.sha256(f"{CONTEXT}/key-entity".encode()).digest())


def key_field(name, of_key):
    return encode_base64url(hashlib.sha256(f"{CONTEXT}/key-entity/{name}/{of_key}".encode()).digest()[:16])


# Values


def to_json(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def pad(text):
    plain = text.encode()
    exponent = len(plain).bit_length() - 1
    step = 2 ** max(0, exponent - exponent.bit_length())
    return plain.ljust(max(64, -(-len(plain) // step) * step), b" ")


def associated_data(of_key, entity_id, part, name, revision):
    return "\n".join(
        ("1", of_key, entity_id, part, name, revision["deviceId"], str(revision["sequence"]))
    ).encode()


def value_key(data_key, entity_id):
    return hkdf(data_key, f"value/{entity_id.removeprefix('sealed/')}", 32)


def seal_value(data_key, entity_id, part, name, revision, text, nonce):
    of_key = key_id(data_key)
    cipher, rest = xchacha20_poly1305(value_key(data_key, entity_id), nonce)
    data = associated_data(of_key, entity_id, part, name, revision)
    return f"1.{of_key}.{encode_base64url(nonce + cipher.encrypt(rest, pad(text), data))}"


class Unreadable(Exception):
    """A value or an operation does not open, for this reason."""


def open_value(keys_by_id, entity_id, part, name, revision, value):
    match = VALUE.fullmatch(value) if isinstance(value, str) else None
    sealed = decode_base64url(match[2]) if match else None
    if sealed is None or len(decode_base64url(name) or b"") != 16:
        raise Unreadable("not-sealed")
    if match[1] not in keys_by_id:
        raise Unreadable("unknown-key")
    cipher, rest = xchacha20_poly1305(value_key(keys_by_id[match[1]], entity_id), sealed[:24])
    try:
        plain = cipher.decrypt(rest, sealed[24:], associated_data(match[1], entity_id, part, name, revision))
        return json.loads(plain.decode())
    except (InvalidTag, ValueError):
        raise Unreadable("damaged") from None


# Operations


class Keys:
    def __init__(self, dataKey, nameKey, former=()):
        self.data, self.name = decode_base64url(dataKey), decode_base64url(nameKey)
        self.former = [decode_base64url(key) for key in former]
        self.by_id = {key_id(key): key for key in (*self.former, self.data)}


def build(kind, revision, entity_id, payload, metadata):
    document = {"schemaVersion": 1, "entityId": entity_id, "deleted": kind == "delete"}
    if kind != "delete":
        document["payload"] = payload
    return {
        "protocolVersion": 1,
        "operationId": f"operation/{revision['deviceId']}/{revision['sequence']}",
        "kind": kind,
        "revision": revision,
        "document": document | metadata,
        "changedFields": list(payload),
        "changedMetadataFields": list(metadata),
    }


def lifecycle(entity_id, kind, revision):
    return {"entityId": entity_id, "deleted": kind == "delete", "at": revision}


def seal(keys, operation, nonces):
    kind, revision, document = operation["kind"], operation["revision"], operation["document"]
    entity_id = sealed_id(keys.name, document["entityId"])

    def seal_fields(part, fields):
        sealed = {}
        for name, value in fields:
            opaque = field_name(keys.name, entity_id, part, name)
            text = to_json([name, value])
            sealed[opaque] = seal_value(keys.data, entity_id, part, opaque, revision, text, next(nonces))
        return dict(sorted(sealed.items()))

    payload = [(name, document["payload"][name]) for name in operation["changedFields"]]
    metadata = [(name, document[name]) for name in operation["changedMetadataFields"]]
    if kind != "patch":
        metadata.insert(0, ("", lifecycle(document["entityId"], kind, revision)))
    return build(kind, revision, entity_id, seal_fields("payload", payload), seal_fields("metadata", metadata))


def open_operation(keys, operation):
    try:
        return open_fields(keys, operation)
    except Unreadable as error:
        reason, *field = error.args
        return {"kind": "unreadable", "reason": reason} | ({"field": field[0]} if field else {})


def open_fields(keys, operation):
    kind, document = operation["kind"], operation["document"]
    opaque_id = document["entityId"]
    prefix, _, rest = opaque_id.partition("/")
    if prefix != "sealed" or len(decode_base64url(rest) or b"") != 32:
        raise Unreadable("not-sealed")
    own = field_name(keys.name, opaque_id, "metadata", "")
    has_lifecycle = own in operation["changedMetadataFields"]
    if has_lifecycle != (kind != "patch"):
        raise Unreadable("lifecycle")
    entity_id = open_lifecycle(keys, operation, own) if has_lifecycle else None
    opened = {"payload": [], "metadata": []}
    parts = (("payload", "changedFields", document.get("payload", {})), ("metadata", "changedMetadataFields", document))
    for part, changed, values in parts:
        for name in operation[changed]:
            if name == own:
                continue
            try:
                pair = open_value(keys.by_id, opaque_id, part, name, operation["revision"], values[name])
                if not is_field(pair) or field_name(keys.name, opaque_id, part, pair[0]) != name:
                    raise Unreadable("damaged")
            except Unreadable as error:
                raise Unreadable(*error.args, name) from None
            opened[part].append(pair)
    return {"kind": "opened", "entityId": entity_id} | opened


def is_field(pair):
    return isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str)


def open_lifecycle(keys, operation, name):
    kind, revision, document = operation["kind"], operation["revision"], operation["document"]
    try:
        pair = open_value(keys.by_id, document["entityId"], "metadata", name, revision, document[name])
    except Unreadable:
        raise Unreadable("lifecycle") from None
    entity_id = pair[1].get("entityId") if is_field(pair) and isinstance(pair[1], dict) else None
    is_own = isinstance(entity_id, str) and sealed_id(keys.name, entity_id) == document["entityId"]
    if not is_own or pair != ["", lifecycle(entity_id, kind, revision)]:
        raise Unreadable("lifecycle")
    return entity_id


# The key entity


def seal_facts(kind, revision, facts, nonces):
    payload = {}
    for keys, name, value in facts:
        opaque = key_field(name, key_id(keys.data))
        text = to_json(value)
        payload[opaque] = seal_value(keys.data, KEY_ENTITY, "payload", opaque, revision, text, next(nonces))
    return build(kind, revision, KEY_ENTITY, dict(sorted(payload.items())), {})


def check_and_keys(keys):
    former = [{"keyId": key_id(key), "key": encode_base64url(key)} for key in keys.former]
    held = {"nameKey": encode_base64url(keys.name), "former": former}
    return [(keys, "check", ["check", key_id(keys.data)]), (keys, "keys", held)]


def create_key(keys, revision, nonces):
    return seal_facts("create", revision, check_and_keys(keys), nonces)


def rotate_key(keys, following, revision, nonces):
    facts = [*check_and_keys(following), (keys, "next", key_id(following.data))]
    return seal_facts("patch", revision, facts, nonces)


def read_fact(operations, name, key):
    """What the latest field of this name says that opens under exactly this key, or None."""
    opaque = key_field(name, key_id(key))
    for operation in sorted(operations, key=lambda one: order(one["revision"]), reverse=True):
        value = operation["document"].get("payload", {}).get(opaque)
        try:
            return open_value({key_id(key): key}, KEY_ENTITY, "payload", opaque, operation["revision"], value)
        except Unreadable:
            continue
    return None


def read_key(operations, data_key):
    own = [one for one in operations if one["document"]["entityId"] == KEY_ENTITY]
    creates = [one for one in own if one["kind"] == "create"]
    if not creates:
        return {"kind": "missing"}
    held = read_fact(own, "keys", data_key)
    former = [decode_base64url(one["key"]) for one in held["former"]] if held else []
    keys_by_id = {key_id(key): key for key in (*former, data_key)}
    firsts = [one for one, key in keys_by_id.items() if read_fact(creates, "check", key) == ["check", one]]
    last, passed = firsts[0] if firsts else None, set()
    while last in keys_by_id:
        following = read_fact(own, "next", keys_by_id[last])
        if following is None:
            break
        passed.add(last)
        last = None if following in passed else following
    if last is not None and last not in keys_by_id:
        return {"kind": "replaced", "keyId": last}
    if last != key_id(data_key) or held is None:
        return {"kind": "other-key"}
    return {"kind": "account-key", "keyId": last, "nameKey": held["nameKey"], "former": [one["key"] for one in held["former"]]}


# Recovery keys


def with_checksum(data_key):
    return data_key + hashlib.sha256(f"{CONTEXT}/recovery-key".encode() + data_key).digest()[:3]


def to_recovery_key(data_key):
    number = int.from_bytes(with_checksum(data_key), "big")
    text = "".join(CROCKFORD[(number >> (5 * place)) & 31] for place in reversed(range(56)))
    return "-".join(re.findall("....", text))


def read_recovery_key(text):
    typed = re.sub(r"[\s\u2010-\u2015-]", "", text)
    if not re.fullmatch(r"[0-9A-TV-Za-tv-z]{56}", typed):
        return None
    number = 0
    for character in typed.upper().translate(str.maketrans("OIL", "011")):
        number = number * 32 + CROCKFORD.index(character)
    data_key = number.to_bytes(35, "big")[:32]
    return encode_base64url(data_key) if with_checksum(data_key) == number.to_bytes(35, "big") else None


# Vectors


def decode_all(texts):
    return iter([decode_base64url(text) for text in texts])


def check_value(dataKey, entityId, part, name, revision, field, value, nonces):
    data_key, text = decode_base64url(dataKey), to_json([field, value])
    return {
        "associatedData": associated_data(key_id(data_key), entityId, part, name, revision).decode(),
        "plainText": pad(text).decode(),
        "sealed": seal_value(data_key, entityId, part, name, revision, text, next(decode_all(nonces))),
    }


CHECKS = {
    "key-id": lambda dataKey: {"keyId": key_id(decode_base64url(dataKey))},
    "entity-id": lambda nameKey, entityId: {"entityId": sealed_id(decode_base64url(nameKey), entityId)},
    "field-name": lambda nameKey, entityId, part, name: {
        "name": app_field_name(decode_base64url(nameKey), entityId, part, name)
    },
    "value": check_value,
    "seal": lambda keys, operation, nonces: seal(Keys(**keys), operation, decode_all(nonces)),
    "open": lambda keys, operation: open_operation(Keys(**keys), operation),
    "create-key": lambda keys, revision, nonces: create_key(Keys(**keys), revision, decode_all(nonces)),
    "rotate-key": lambda keys, next, revision, nonces: rotate_key(
        Keys(**keys), Keys(**next), revision, decode_all(nonces)
    ),
    "read-key": lambda dataKey, operations: read_key(operations, decode_base64url(dataKey)),
    "to-recovery-key": lambda dataKey: {"recoveryKey": to_recovery_key(decode_base64url(dataKey))},
    "read-recovery-key": lambda text: {"dataKey": read_recovery_key(text)},
}


def random_nonces():
    while True:
        yield os.urandom(24)
