"""The rules of docs/protocol/sealed.md."""

import hashlib
import hmac
import json
import re
import struct

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from sync_rules import Refused, RepeatedMember, parse_json, validate
from texts import decode_base64url, encode_base64url

CONTEXT = "trellis/sealed/2"
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


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


def sha256(*texts):
    return hashlib.sha256(b"".join(texts)).digest()


def hkdf(key, info):
    extracted = hmac.digest(bytes(32), key, "sha256")
    return hmac.digest(extracted, f"{CONTEXT}/{info}".encode() + b"\1", "sha256")


def key_id(data_key):
    return encode_base64url(hkdf(data_key, "key-id")[:16])


class Names:
    """They follow from the first data key of an account."""

    def __init__(self, first_key):
        self.name_key = hkdf(first_key, "name-key")
        self.entity_id_key, self.field_name_key = hkdf(self.name_key, "entity-id"), hkdf(self.name_key, "field-name")

    def entity_id(self, entity_id):
        return "sealed/" + encode_base64url(hmac.digest(self.entity_id_key, entity_id.encode(), "sha256"))

    def field_name(self, opaque_id, part, name):
        """None for a name that is not well-formed."""
        if any("\ud800" <= character <= "\udfff" for character in name):
            return None
        text = "\n".join((opaque_id, part, name)).encode()
        return encode_base64url(hmac.digest(self.field_name_key, text, "sha256")[:16])


# Envelopes


def to_json(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def pad(text):
    plain = text.encode()
    exponent = len(plain).bit_length() - 1
    step = 2 ** max(0, exponent - exponent.bit_length())
    return plain.ljust(max(128, -(-len(plain) // step) * step), b" ")


def seal(data_key, associated_data, text):
    plain, associated = pad(text), associated_data.encode()
    nonce = hmac.digest(hkdf(data_key, "nonce"), associated + b"\0" + plain, "sha256")[:24]
    cipher, rest = xchacha20_poly1305(hkdf(data_key, "operation"), nonce)
    return f"2.{key_id(data_key)}.{encode_base64url(nonce + cipher.encrypt(rest, plain, associated))}"


class Unreadable(Exception):
    """An operation does not open, for this reason."""


def open_envelope(keys_by_id, envelope, to_associated_data):
    _, of_key, content = envelope.split(".")
    if of_key not in keys_by_id:
        raise Unreadable("unknown-key")
    sealed = decode_base64url(content)
    try:
        cipher, rest = xchacha20_poly1305(hkdf(keys_by_id[of_key], "operation"), sealed[:24])
        return cipher.decrypt(rest, sealed[24:], to_associated_data(of_key).encode()).decode()
    except (InvalidTag, ValueError):
        raise Unreadable("damaged") from None


# Operations

SPACE = re.compile(r"[ \t\n\r]*")
DECODER = json.JSONDecoder()


def skip_space(text, index):
    return SPACE.match(text, index).end()


def list_items(text):
    """The texts of the elements of a JSON list, as they were written."""
    items, index = [], skip_space(text, skip_space(text, 0) + 1)
    while text[index] != "]":
        end = DECODER.raw_decode(text, index)[1]
        items.append(text[index:end])
        index = skip_space(text, end)
        index = skip_space(text, index + 1) if text[index] == "," else index
    return items


def object_members(text):
    """The texts of the values of a JSON object, by name."""
    members, index = {}, skip_space(text, skip_space(text, 0) + 1)
    while text[index] != "}":
        name, end = DECODER.raw_decode(text, index)
        start = skip_space(text, skip_space(text, end) + 1)
        end = DECODER.raw_decode(text, start)[1]
        members[name] = text[start:end]
        index = skip_space(text, end)
        index = skip_space(text, index + 1) if text[index] == "," else index
    return members


def associated_data(of_key, opaque_id, kind, revision, payload, metadata):
    """`payload` and `metadata` are opaque names."""
    head = ("2", of_key, opaque_id, kind, revision["deviceId"], str(revision["sequence"]))
    return "\n".join((*head, "", *payload, "", *metadata))


def seal_operation(keys, text):
    """The associated data, the padded plain text, and the operation as it is pushed."""
    operation, names = json.loads(text), Names(keys[0])
    document = object_members(object_members(text)["document"])
    entity_id, kind, revision = operation["document"]["entityId"], operation["kind"], operation["revision"]
    opaque_id = names.entity_id(entity_id)

    def sort(part, changed, values):
        return sorted((names.field_name(opaque_id, part, name), name, values[name]) for name in changed)

    payload = sort("payload", operation["changedFields"], object_members(document.get("payload", "{}")))
    metadata = sort("metadata", operation["changedMetadataFields"], document)
    lists = (",".join(f"[{to_json(name)},{value}]" for _, name, value in part) for part in (payload, metadata))
    plain = "[{},[{}],[{}]]".format(to_json(entity_id), *lists)
    opaque = [[name for name, _, _ in part] for part in (payload, metadata)]
    data = associated_data(key_id(keys[-1]), opaque_id, kind, revision, *opaque)
    members = {name: "" for name in opaque[1]} | {"sealed": seal(keys[-1], data, plain)}
    sealed_document = {"schemaVersion": 1, "entityId": opaque_id, "deleted": kind == "delete"}
    if kind != "delete":
        sealed_document["payload"] = {name: "" for name in opaque[0]}
    wire = {
        "protocolVersion": 1,
        "operationId": operation["operationId"],
        "kind": kind,
        "revision": revision,
        "document": sealed_document | dict(sorted(members.items())),
        "changedFields": opaque[0],
        "changedMetadataFields": opaque[1],
    }
    return {"associatedData": data, "plainText": pad(plain).decode(), "operation": wire}


def open_operation(keys, operation):
    try:
        return {"kind": "opened"} | open_whole(keys, operation)
    except Unreadable as error:
        return {"kind": "unreadable", "reason": str(error)}


def open_whole(keys, operation):
    try:
        validate(json.dumps(operation), "sealed")
    except Refused:
        raise Unreadable("not-sealed") from None
    document, changed = operation["document"], (operation["changedFields"], operation["changedMetadataFields"])
    opaque_id = document["entityId"]
    text = open_envelope(
        {key_id(key): key for key in keys},
        document["sealed"],
        lambda of_key: associated_data(of_key, opaque_id, operation["kind"], operation["revision"], *changed),
    )
    try:
        depth_of(parse_json(text))
        entity_id, *parts = list_items(text)
        entity_id = json.loads(entity_id)
        payload, metadata = ([read_pair(pair) for pair in list_items(part)] for part in parts)
    except (ValueError, RepeatedMember, IndexError):
        raise Unreadable("damaged") from None
    is_own = isinstance(entity_id, str) and Names(keys[0]).entity_id(entity_id) == opaque_id
    if not is_own or (len(payload), len(metadata)) != tuple(map(len, changed)):
        raise Unreadable("damaged")
    return {"entityId": entity_id, "payload": payload, "metadata": metadata}


def depth_of(value, level=1):
    if isinstance(value, (dict, list)):
        if level > 16:
            raise ValueError
        for inner in value.values() if isinstance(value, dict) else value:
            depth_of(inner, level + 1)


def read_pair(text):
    name, value = list_items(text)
    if not isinstance(json.loads(name), str):
        raise ValueError
    return [json.loads(name), value]


# The list of keys


def record_data(sealing_id, member, of_key):
    return "\n".join(("2", sealing_id, member, of_key))


def make_record(keys, origin):
    """The record of the last key."""
    *former, data_key = keys
    own = key_id(data_key)
    write = encode_base64url(sha256(hkdf(data_key, "write")))
    text = to_json([encode_base64url(key) for key in former])
    record = {"keyId": own, "write": write, "keys": seal(data_key, record_data(own, "keys", own), text)}
    if origin is not None:
        before = former[-1]
        text = to_json({"keyId": own, **origin})
        record["from"] = seal(before, record_data(key_id(before), "from", own), text)
    return record


def open_member(record, member, data_key):
    def to_data(of_key):
        return record_data(of_key, member, record["keyId"])

    return json.loads(open_envelope({key_id(data_key): data_key}, record[member], to_data))


def read_origin(record, data_key):
    try:
        origin = open_member(record, "from", data_key)
    except Unreadable:
        return None
    return {"deviceId": origin["deviceId"], "at": origin["at"]} if origin["keyId"] == record["keyId"] else None


def read_keys(record, data_key):
    return [*map(decode_base64url, open_member(record, "keys", data_key)), data_key]


def take_over(data_key, records):
    """The keys of a list, the first one first, or None."""
    try:
        if not records or records[-1]["keyId"] != key_id(data_key):
            return None
        keys = read_keys(records[-1], data_key)
        keys_by_id, before = {key_id(key): key for key in keys}, None
        for record in records:
            own = keys_by_id.get(record["keyId"])
            if own is None or record["write"] != encode_base64url(sha256(hkdf(own, "write"))):
                return None
            if read_keys(record, own)[0] != keys[0]:
                return None
            if ("from" in record) != (before is not None):
                return None
            if before is not None and read_origin(record, before) is None:
                return None
            before = own
        return keys
    except Unreadable:
        return None


# Recovery keys


def with_checksum(data_key):
    return data_key + sha256(f"{CONTEXT}/recovery-key".encode(), data_key)[:3]


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
    return [decode_base64url(text) for text in texts]


def derive(data_key):
    secret = hkdf(data_key, "write")
    derived = {"operationKey": hkdf(data_key, "operation"), "nonceKey": hkdf(data_key, "nonce"), "writeSecret": secret}
    texts = {name: encode_base64url(key) for name, key in derived.items()}
    return {"keyId": key_id(data_key), **texts, "write": encode_base64url(sha256(secret))}


def derive_names(first_key):
    names = Names(first_key)
    derived = {"nameKey": names.name_key, "entityIdKey": names.entity_id_key, "fieldNameKey": names.field_name_key}
    return {name: encode_base64url(key) for name, key in derived.items()}


def check_take_over(data_key, records):
    keys = take_over(data_key, records)
    return {"kind": "taken-over", "keys": [*map(encode_base64url, keys)]} if keys else {"kind": "refused"}


CHECKS = {
    "derive": lambda dataKey: derive(decode_base64url(dataKey)),
    "derive-names": lambda dataKey: derive_names(decode_base64url(dataKey)),
    "entity-id": lambda firstKey, entityId: {"entityId": Names(decode_base64url(firstKey)).entity_id(entityId)},
    "field-name": lambda firstKey, entityId, part, name: {
        "name": Names(decode_base64url(firstKey)).field_name(entityId, part, name)
    },
    "seal": lambda keys, text: seal_operation(decode_all(keys), text),
    "open": lambda keys, operation: open_operation(decode_all(keys), operation),
    "record": lambda keys, origin: make_record(decode_all(keys), origin),
    "take-over": lambda dataKey, list: check_take_over(decode_base64url(dataKey), list),
    "origin": lambda dataKey, record: {"origin": read_origin(record, decode_base64url(dataKey))},
    "to-recovery-key": lambda dataKey: {"recoveryKey": to_recovery_key(decode_base64url(dataKey))},
    "read-recovery-key": lambda text: {"dataKey": read_recovery_key(text)},
}
