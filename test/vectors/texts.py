"""Grammars that several protocols share."""

import base64
import re
from datetime import date, datetime, timedelta, timezone

_DATE_TIME = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?([Zz]|[+-]\d\d:\d\d)",
    re.ASCII,
)


def is_date(text):
    """A day of the calendar as YYYY-MM-DD."""
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def parse_date_time(text):
    """Milliseconds since 1970 of an RFC 3339 text, or None."""
    match = _DATE_TIME.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        return None
    year, month, day, hour, minute, second = map(int, match.groups()[:6])
    offset = timedelta(0)
    if match[8] not in "Zz":
        hours, minutes = int(match[8][1:3]), int(match[8][4:])
        if hours > 23 or minutes > 59:
            return None
        offset = timedelta(hours=hours, minutes=minutes) * (-1 if match[8][0] == "-" else 1)
    if second > 60:
        return None
    try:
        # A leap second is the second before it.
        local = datetime(year, month, day, hour, minute, min(second, 59), tzinfo=timezone.utc)
    except ValueError:
        return None
    moment = local - datetime(1970, 1, 1, tzinfo=timezone.utc) - offset
    return moment // timedelta(milliseconds=1) + int((match[7] or "0").ljust(3, "0")[:3])


def decode_base64url(text):
    """The bytes of unpadded Base64URL in its one spelling, or None."""
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text):
        return None
    try:
        decoded = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return None
    return decoded if encode_base64url(decoded) == text else None


def encode_base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
