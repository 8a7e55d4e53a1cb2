"""ISO 8601 as docs/protocol/events.md reads it: the day or the moment that a text names."""

import re
from fractions import Fraction

DAY = 86_400_000
CALENDAR, ORDINAL, WEEK = "calendar", "ordinal", "week"
DATES = [
    (CALENDAR, "extended", r"(\d{4})-(\d\d)-(\d\d)"),
    (CALENDAR, "basic", r"(\d{4})(\d\d)(\d\d)"),
    (ORDINAL, "extended", r"(\d{4})-(\d{3})"),
    (ORDINAL, "basic", r"(\d{4})(\d{3})"),
    (WEEK, "extended", r"(\d{4})-W(\d\d)-(\d)"),
    (WEEK, "basic", r"(\d{4})W(\d\d)(\d)"),
]
TIMES = {
    "extended": r"(\d\d)(?::(\d\d)(?::(\d\d))?)?(?:[.,](\d+))?",
    "basic": r"(\d\d)(?:(\d\d)(?:(\d\d))?)?(?:[.,](\d+))?",
}
MIXED_TIME = r"\d\d(:\d{4}|\d\d:\d\d)"
# Offsets may be basic beside the extended form, but not the other way round.
OFFSETS = {"extended": r"([+-])(\d\d)(?::?(\d\d))?", "basic": r"([+-])(\d\d)(?:(\d\d))?"}
WITHOUT_DAY = r"\d{2,4}|\d{4}-\d\d|\d{4}-?W\d\d|--[\d-]+|-\d{3}|-W[\d-]+"
MIXED_DATE = r"\d{4}(-\d{4}|\d\d-\d\d|-W\d{3}|W\d\d-\d)"


class Refused(Exception):
    pass


def full(pattern, text, flags=0):
    return re.fullmatch(pattern, text, re.ASCII | re.DOTALL | flags)


def read_date(text):
    """A kind with its day or moment, or the reason of the refusal."""
    try:
        return parse(text)
    except Refused as refused:
        return {"kind": "invalid", "reason": str(refused)}


def parse(text):
    date, letter, rest = re.fullmatch(r"([^Tt]*)([Tt]?)(.*)", text, re.DOTALL).groups()
    if date == "" and letter and any(time_and_offset(rest, form) for form in TIMES):
        raise Refused("date-without-day")
    form, day = parse_day(date)
    if not letter:
        return {"kind": "day", "day": written(day)}
    parts = time_and_offset(rest, form)
    if parts is None:
        raise Refused(time_error(rest))
    milliseconds, offset = parts
    if offset is not None:
        return {"kind": "moment", "at": day * DAY + milliseconds - offset}
    carried, since_midnight = divmod(milliseconds, DAY)
    return {"kind": "local", "day": written(day + carried), "sinceMidnight": since_midnight}


def parse_day(text):
    for kind, form, pattern in DATES:
        match = full(pattern, text)
        if match:
            day = COUNTS[kind](*map(int, match.groups()))
            if day is None:
                raise Refused("invalid-date")
            return form, day
    if full(r"[+-]\d{4}.*", text):
        raise Refused("expanded-year")
    if full(WITHOUT_DAY, text):
        raise Refused("date-without-day")
    raise Refused("mixed-forms" if full(MIXED_DATE, text) else "invalid-date")


def time_and_offset(text, form, form_of_offset=None):
    """Milliseconds since midnight, and those of the offset or None; None when the text is neither."""
    split = full(r"([^Zz+-]*)([Zz]|[+-].*)?", text)
    clock = split and full(TIMES[form], split[1])
    offset = split and read_offset(split[2], form_of_offset or form)
    since_midnight = clock and milliseconds_of(*clock.groups())
    if since_midnight is None or offset == "wrong":
        return None
    return since_midnight, offset


def read_offset(text, form):
    if text is None:
        return None
    if text in "Zz":
        return 0
    match = full(OFFSETS[form], text)
    if match is None or int(match[2]) > 23 or int(match[3] or 0) > 59:
        return "wrong"
    milliseconds = int(match[2]) * 3_600_000 + int(match[3] or 0) * 60_000
    return -milliseconds if match[1] == "-" else milliseconds


def milliseconds_of(hour, minute, second, digits):
    # A leap second is the second before it; a fraction is one of the smallest unit.
    values = [int(hour), int(minute or 0), int(second or 0)]
    unit = 1000 if second else 60_000 if minute else 3_600_000
    part = Fraction(int(digits), 10 ** len(digits)) if digits else Fraction(0)
    exact = values[0] * 3_600_000 + values[1] * 60_000 + min(values[2], 59) * 1000 + part * unit
    is_valid = values[0] < 24 and values[1] < 60 and values[2] < 61
    return int(exact) if is_valid or (values[1:] == [0, 0] and exact == DAY) else None


def time_error(text):
    """It is mixed if each of its parts is right in some form, or if the form changes within the time."""
    is_right = any(time_and_offset(text, one, other) for one in TIMES for other in OFFSETS)
    is_mixed = is_right or re.match(MIXED_TIME, text, re.ASCII)
    return "mixed-forms" if is_mixed else "invalid-date"


# The calendar, in days since 1970; Python's own has no year 0.


def days_before(year):
    past = year - 1
    return past * 365 + past // 4 - past // 100 + past // 400 - 719_162


def length_of(year):
    return days_before(year + 1) - days_before(year)


def months_of(year):
    return [31, length_of(year) - 337, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


def calendar_day(year, month, day):
    if not (1 <= month <= 12 and 1 <= day <= months_of(year)[month - 1]):
        return None
    return days_before(year) + sum(months_of(year)[: month - 1]) + day - 1


def ordinal_day(year, day):
    return days_before(year) + day - 1 if 1 <= day <= length_of(year) else None


def week_day(year, week, day):
    # 1970 began on a Thursday, and each year's first week has its first Thursday.
    first_thursday = days_before(year) + -days_before(year) % 7
    thursday = first_thursday + (week - 1) * 7
    if not (1 <= day <= 7 and 1 <= week and thursday < days_before(year + 1)):
        return None
    return thursday + day - 4


COUNTS = {CALENDAR: calendar_day, ORDINAL: ordinal_day, WEEK: week_day}


def written(day):
    """YYYY-MM-DD; a day of another year cannot be written."""
    year = 1970 + day // 366
    while days_before(year + 1) <= day:
        year += 1
    while days_before(year) > day:
        year -= 1
    if not 0 <= year <= 9999:
        raise Refused("invalid-date")
    rest, month = day - days_before(year), 0
    while rest >= months_of(year)[month]:
        rest -= months_of(year)[month]
        month += 1
    return f"{year:04}-{month + 1:02}-{rest + 1:02}"
