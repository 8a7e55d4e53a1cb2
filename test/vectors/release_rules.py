"""The rules of docs/protocol/release.md that a client follows."""

import hashlib
import json
import re

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from texts import decode_base64url, parse_date_time

DAY_MS = 86_400_000
FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]+")
VERSION = re.compile(r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)")
ENVELOPE = {"schemaVersion", "keyId", "algorithm", "payload", "signature"}


class Refused(Exception):
    """A check of this name failed."""


def refuse_unless(holds, kind):
    if not holds:
        raise Refused(kind)


class Client:
    """Verifies manifests one after another; what it remembers belongs to the public key that signed it."""

    def __init__(self, keys, product):
        self.keys, self.product = keys, product
        self.newest = {}
        self.revocations = set()

    def receive(self, envelope, now):
        try:
            return {"kind": "verified", "sequence": self.verify(envelope, now)["sequence"]}
        except Refused as refused:
            return {"kind": str(refused)}

    def verify(self, envelope, now):
        key_id, signed = check_signature(envelope, self.keys)
        key = self.keys[key_id]
        payload = read_payload(signed)
        refuse_unless(payload["product"] == self.product, "wrong-product")
        revoked = {self.keys[name] for name in payload.get("revokedKeys", []) if name in self.keys}
        self.revocations |= {(key, other) for other in revoked - {key}}
        standings = judge_keys(set(self.keys.values()), self.revocations)
        refuse_unless(standings[key] != "revoked", "revoked-key")
        refuse_unless(standings[key] == "trusted", "conflicting-revocations")
        seen = [one for owner, one in self.newest.items() if standings.get(owner) == "trusted"]
        sequence, digest = payload["sequence"], hashlib.sha256(signed).digest()
        issued_at, expires_at = parse_date_time(payload["issuedAt"]), parse_date_time(payload["expiresAt"])
        if seen:
            highest, known_digest, _ = max(seen)
            refuse_unless(sequence >= highest, "rollback")
            refuse_unless(sequence - highest <= 1_000_000, "sequence-jump")
            refuse_unless(sequence > highest or digest == known_digest, "conflicting-manifest")
        refuse_unless(expires_at - issued_at <= 400 * DAY_MS, "lifetime-too-long")
        clock = max([now, *(moment for _, _, moment in seen)])
        refuse_unless(clock < expires_at, "expired")
        self.newest[key] = (sequence, digest, issued_at)
        return payload


def check_signature(text, keys):
    """The key id and the signed bytes."""
    try:
        envelope = json.loads(text)
    except ValueError:
        raise Refused("malformed-envelope") from None
    refuse_unless(isinstance(envelope, dict) and set(envelope) == ENVELOPE, "malformed-envelope")
    refuse_unless(envelope["schemaVersion"] == 1, "malformed-envelope")
    texts = [envelope[name] for name in ("algorithm", "keyId", "payload", "signature")]
    refuse_unless(all(isinstance(one, str) and one != "" for one in texts), "malformed-envelope")
    refuse_unless(envelope["algorithm"] == "ed25519", "wrong-algorithm")
    refuse_unless(FILE_NAME.fullmatch(envelope["keyId"]), "malformed-envelope")
    refuse_unless(envelope["keyId"] in keys, "unknown-key")
    signed, signature = decode_base64url(envelope["payload"]), decode_base64url(envelope["signature"])
    refuse_unless(None not in (signed, signature), "malformed-envelope")
    key = Ed25519PublicKey.from_public_bytes(decode_base64url(keys[envelope["keyId"]]))
    try:
        key.verify(signature, signed)
    except InvalidSignature:
        raise Refused("bad-signature") from None
    return envelope["keyId"], signed


def judge_keys(pinned, revocations):
    """Trusted, revoked or contested: a revocation counts while the key that signed it is trusted."""
    standings = dict.fromkeys(pinned, "contested")
    for _ in pinned:
        for key in pinned:
            revokers = [standings[one] for one, other in revocations if other == key and one in pinned]
            if "trusted" in revokers:
                standings[key] = "revoked"
            elif all(standing == "revoked" for standing in revokers):
                standings[key] = "trusted"
    return standings


# The payload


def read_payload(signed):
    try:
        payload = json.loads(signed.decode())
        if fits(payload, PAYLOAD):
            return payload
    except ValueError:
        pass
    raise Refused("malformed-payload")


def is_count(value):
    return type(value) is int and 1 <= value < 2**53


def is_text(value):
    return isinstance(value, str)


def is_time(value):
    return parse_date_time(value) is not None


def matching(pattern):
    return lambda value: is_text(value) and re.fullmatch(pattern, value) is not None


def optional(rule):
    return lambda value: value is MISSING or fits(value, rule)


def nullable(rule):
    return lambda value: value is None or fits(value, rule)


def fits(value, rule):
    """A rule is a predicate, a value, a list with the rule of its items, or an object with rules by name."""
    if callable(rule):
        return rule(value)
    if isinstance(rule, list):
        return isinstance(value, list) and all(fits(item, rule[0]) for item in value)
    if isinstance(rule, dict):
        return isinstance(value, dict) and all(fits(value.get(name, MISSING), one) for name, one in rule.items())
    return value == rule


MISSING = object()
IS_VERSION = matching(VERSION)
IS_SHA256 = matching(r"[a-f0-9]{64}")
PAYLOAD = {
    "schemaVersion": 1,
    "product": is_text,
    "sequence": is_count,
    "issuedAt": is_time,
    "expiresAt": is_time,
    "previous": nullable(is_text),
    "revokedKeys": optional([is_text]),
    "rollouts": optional([{"version": IS_VERSION, "percent": lambda value: value == 0 or (is_count(value) and value <= 100)}]),
    "files": optional([{"version": IS_VERSION, "sha256": IS_SHA256}]),
    "archive": optional({
        "sha256": IS_SHA256,
        "size": is_count,
        "releases": lambda value: value == 0 and type(value) is int or is_count(value),
    }),
    "releases": [{
        "version": IS_VERSION,
        "buildNumber": is_count,
        "channel": lambda value: value in ("stable", "beta"),
        "status": "published",
        "publishedAt": is_time,
        "minimumSupportedVersion": IS_VERSION,
        "mandatoryAfter": nullable(is_time),
        "notes": {},
        "artifacts": [{
            "platform": is_text,
            "architecture": is_text,
            "fileName": matching(FILE_NAME),
            "url": matching(r"https://.*"),
            "sha256": IS_SHA256,
            "size": is_count,
        }],
    }],
    "withdrawn": [{
        "version": IS_VERSION,
        "buildNumber": is_count,
        "reason": is_text,
        "replacedBy": optional(IS_VERSION),
    }],
}


# The archive

ARCHIVE = {name: PAYLOAD[name] for name in ("schemaVersion", "product", "releases", "withdrawn")}
ARCHIVE |= {"files": [{"version": IS_VERSION, "sha256": IS_SHA256}]}


def receive_archive(signed, received):
    # RFC 8785; the names of these members are ASCII, so their order is that of code units.
    text = json.dumps(signed, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    digest = hashlib.sha256(text).hexdigest()
    archive = {"sha256": digest, "size": len(text), "releases": len(signed["releases"])}
    return {"archive": archive, "kind": archive_kind(received, digest, signed["product"])}


def archive_kind(received, digest, product):
    if hashlib.sha256(received.encode()).hexdigest() != digest:
        return "altered-archive"
    value = json.loads(received)
    return "history" if fits(value, ARCHIVE) and value["product"] == product else "unreadable-archive"


# Files


def receive_files(signed, received):
    # RFC 8785; the names of these members are ASCII, so their order is that of code units.
    text = json.dumps(signed, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    digest = hashlib.sha256(text.encode()).hexdigest()
    is_signed = hashlib.sha256(received.encode()).hexdigest() == digest
    return {"kind": "files" if is_signed else "altered-files", "sha256": digest}


# Updates


def numbers(version):
    return [int(part) for part in version.split(".")]


def evaluate_update(manifest, installation, bucket, now):
    current = installation["current"]
    withdrawn = next((one["version"] for one in manifest["withdrawn"] if one["version"] == current["version"]), None)
    offer = choose_offer(manifest, installation["channel"], bucket, current["version"])
    status = {"offered": offer and offer["version"], "withdrawn": withdrawn}
    order = offer and compare(offer, current)
    if offer is None or max(order) <= 0:
        return status | {"kind": "up-to-date" if withdrawn is None else "withdrawn"}
    if min(order) < 0:
        return status | {"kind": "would-downgrade"}
    deadline = offer["mandatoryAfter"]
    wanted = (installation["platform"], installation["architecture"])
    ending = "." + installation["package"] if installation["package"] else ""
    files = [
        one["fileName"] for one in offer["artifacts"]
        if (one["platform"], one["architecture"]) == wanted and one.get("distribution") != "play"
        and one["fileName"].lower().endswith(ending)
    ]
    return status | {
        "kind": "update-available" if files else "no-artifact",
        "mandatory": deadline is not None and now >= parse_date_time(deadline),
        "unsupported": numbers(current["version"]) < numbers(offer["minimumSupportedVersion"]),
        "fileName": files[0] if files else None,
    }


def compare(offer, current):
    """Whether the offer is newer (1), the same (0) or older (-1), by build and by version."""
    pairs = (
        (offer["buildNumber"], current["buildNumber"]),
        (numbers(offer["version"]), numbers(current["version"])),
    )
    return [(one > other) - (one < other) for one, other in pairs]


def choose_offer(manifest, channel, bucket, running):
    percents = {one["version"]: one["percent"] for one in manifest.get("rollouts", [])}
    releases = [one for one in manifest["releases"] if one["channel"] == channel]
    for index, release in enumerate(releases):
        percent = percents.get(release["version"], 100)
        is_in_share = index == 0 and (bucket <= percent or release["version"] == running)
        if percent == 100 or is_in_share:
            return release
    return None
