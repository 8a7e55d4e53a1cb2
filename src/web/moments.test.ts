import assert from "node:assert/strict";
import { test } from "node:test";
import { MINUTE_MS } from "../contract/durations.ts";
import { describeEventDay, describeMoment, type Clock } from "./moments.ts";

const NOW = Date.parse("2026-11-15T22:30:00Z");
const berlin = (language: "de" | "en"): Clock => ({
  language,
  timeZone: "Europe/Berlin",
  now: NOW,
});

test("a moment within a day is shown by distance and time in the account's zone", () => {
  assert.equal(describeMoment(NOW - 5 * MINUTE_MS, berlin("en")), "5 minutes ago, 23:25");
  assert.equal(describeMoment(NOW + 55 * MINUTE_MS, berlin("de")), "in 55 Minuten, 00:25");
  assert.equal(describeMoment(NOW - 180 * MINUTE_MS, berlin("en")), "3 hours ago, 20:30");
});

test("the present moment has its own words", () => {
  assert.equal(describeMoment(NOW, berlin("en")), "just now, 23:30");
  assert.equal(describeMoment(NOW - 20_000, berlin("de")), "gerade eben, 23:29");
  assert.equal(describeMoment(NOW + 20_000, berlin("en")), "in a moment, 23:30");
});

test("other moments are shown by date", () => {
  const instant = Date.parse("2026-10-01T22:30:00Z");
  assert.equal(describeMoment(instant, berlin("en")), "2 October 2026, 00:30");
  assert.match(describeMoment(instant, berlin("de")), /^2\. Oktober 2026.* 00:30$/);
});

test("a whole day is the same day in every zone", () => {
  for (const timeZone of ["Pacific/Kiritimati", "America/Los_Angeles", "Europe/Berlin"]) {
    const day = describeEventDay("2026-11-20", { language: "en", timeZone, now: NOW });
    assert.equal(day?.iso, "2026-11-20");
    assert.equal(day?.weekday, "Fri");
    assert.equal(day?.time, null);
  }
});

test("a time is shown on its day in the account's zone", () => {
  const day = describeEventDay("2026-11-15T23:30:00Z", berlin("de"));
  assert.deepEqual([day?.iso, day?.time, day?.distance], ["2026-11-16", "00:30", "morgen"]);
});

test("today is not past and yesterday is, in the account's zone", () => {
  assert.equal(describeEventDay("2026-11-15", berlin("en"))?.isPast, false);
  assert.equal(describeEventDay("2026-11-14", berlin("en"))?.isPast, true);
  const kiritimati = { ...berlin("en"), timeZone: "Pacific/Kiritimati" };
  assert.equal(describeEventDay("2026-11-15", kiritimati)?.isPast, true);
});

test("the year is shown unless it is the current one", () => {
  assert.equal(describeEventDay("2026-12-31", berlin("en"))?.year, null);
  assert.equal(describeEventDay("2027-01-01", berlin("en"))?.year, "2027");
});

test("a missing or invalid date has no day", () => {
  assert.equal(describeEventDay(null, berlin("en")), null);
  assert.equal(describeEventDay("soon", berlin("en")), null);
});

test("distances grow from days to years", () => {
  const distance = (date: string) => describeEventDay(date, berlin("en"))?.distance;
  assert.equal(distance("2026-11-15"), "today");
  assert.equal(distance("2026-11-13"), "2 days ago");
  assert.equal(distance("2026-12-06"), "in 3 weeks");
  assert.equal(distance("2027-03-15"), "in 4 months");
  assert.equal(distance("2029-11-15"), "in 3 years");
});
