"""The rules of docs/protocol/events.md that a client follows."""

import ipaddress
import re
import unicodedata

import iso_dates
from texts import is_date

# Origins


def parse_origin(text):
    reason = find_text_error(text)
    if reason is not None:
        return {"kind": "refused", "reason": reason}
    host = re.fullmatch(r"https://(\[[^\]]*\]|[^/:]*)(?::443)?/?", text, re.IGNORECASE)[1].lower()
    host = host.removesuffix(".")
    reason = find_host_error(host)
    if reason is not None:
        return {"kind": "refused", "reason": reason}
    return {"kind": "accepted", "origin": f"https://{host if host.isascii() else host.encode('idna').decode()}"}


LOOKALIKES = "\u3002\uff0e\uff61\u2024\ufe52\uff0f\u2044\u2215\uff3c"


def find_text_error(text):
    if text == "":
        return "empty"
    if any(one == "\\" or one in LOOKALIKES or one.isspace() or unicodedata.category(one)[0] in "CZ" for one in text):
        return "characters"
    match = re.fullmatch(r"https://([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?", text, re.IGNORECASE)
    if match is None:
        return "not-https"
    authority, path, query, fragment = match.groups()
    if "@" in authority:
        return "credentials"
    if path not in ("", "/"):
        return "path"
    if query is not None:
        return "query"
    if fragment is not None:
        return "fragment"
    _, colon, port = re.sub(r"\[.*\]", "", authority).partition(":")
    return "port" if colon and port != "443" else None


def find_host_error(host):
    try:
        address = ipaddress.ip_address(host[1:-1] if host.startswith("[") else host)
    except ValueError:
        return find_name_error(host)
    is_mapped = address.version == 6 and address.ipv4_mapped is not None
    is_public = address.is_global and not address.is_multicast and not is_mapped
    return None if is_public else "private-address"


def find_name_error(host):
    labels = host.split(".")
    if host.startswith("[") or "" in labels or len(host) > 253:
        return "not-an-address"
    if "%" in host or re.fullmatch(r"\d+|0x[0-9a-f]*", labels[-1], re.ASCII):
        return "disguised-host"
    is_local = labels[-1] in ("localhost", "local", "localdomain")
    return "local-name" if is_local else None


# Imports

ICONS = {
    "homework": "homework", "hausaufgabe": "homework", "ha": "homework",
    "exam": "exam", "test": "exam", "klausur": "exam", "klassenarbeit": "exam", "ka": "exam",
    "presentation": "presentation", "pr\u00e4sentation": "presentation", "referat": "presentation",
}


def import_events(response, habits, service_name, utc_offset_minutes):
    """The offset of the device is a function of the moment, in milliseconds since 1970."""
    events = response.get("events") if isinstance(response, dict) else response
    if not isinstance(response, dict) or not isinstance(events, (list, type(None))):
        return {"kind": "not-a-list"}
    report = {"kind": "events", "imported": [], "skipped": [], "deletedIds": [], "unreadable": []}
    extras = response.get("extras")
    has_deletions = isinstance(extras, list) and "deletions" in extras
    known = {habit["source"]["eventId"] for habit in habits if habit.get("source")}
    seen = set()
    for entry in events or []:
        kind, event_id = read_entry(entry, has_deletions)
        if kind == "deleted":
            report["deletedIds"].append(event_id)
        elif kind != "event":
            report["unreadable"].append({"reason": kind, "id": event_id})
        else:
            day = read_day(entry, utc_offset_minutes)
            reason = day if not is_date(day) else find_repetition(event_id, known, seen)
            if reason is None:
                report["imported"].append(to_habit(entry, day, service_name))
            else:
                report["skipped"].append({"id": event_id, "reason": reason})
            if is_date(day):
                seen.add(event_id)
    return report


def read_entry(entry, has_deletions):
    if not isinstance(entry, dict):
        return "not-an-object", None
    event_id = text_of(entry, "id")
    if not event_id:
        return "missing-id", None
    if has_deletions and entry.get("deleted") is True:
        return "deleted", event_id
    return "missing-type" if text_of(entry, "type") is None else "event", event_id


def text_of(entry, name):
    return entry[name] if isinstance(entry.get(name), str) else None


def find_repetition(event_id, known, seen):
    if event_id in known:
        return "already-imported"
    return "repeated" if event_id in seen else None


def read_day(event, utc_offset_minutes):
    """The day on this device, or the reason why the event is skipped."""
    date = text_of(event, "date")
    if event["type"].lower() == "info":
        return "info"
    if not date:
        return "missing-date"
    found = iso_dates.read_date(date)
    if found["kind"] != "moment":
        return found.get("day") or found["reason"]
    try:
        return iso_dates.written((found["at"] + utc_offset_minutes(found["at"]) * 60_000) // iso_dates.DAY)
    except iso_dates.Refused as refused:
        return str(refused)


def to_habit(event, day, service_name):
    subject = (text_of(event, "subject_name") or "").strip()
    title = (text_of(event, "title") or "").strip()
    return {
        "name": title or subject or f"{service_name} Task",
        "icon": ICONS.get(unicodedata.normalize("NFC", event["type"]).lower(), "task"),
        "category": subject or service_name,
        "source": {"eventId": event["id"], "occursOn": day},
    }
