import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatInstant, instantToWallTime, parseTimeZone, wallTimeToInstant } from "./time-zone.ts";

const inBerlin = (clock: string) =>
  formatInstant(wallTimeToInstant(Date.parse(`${clock}Z`), "Europe/Berlin"), "Europe/Berlin");

test("a clock time gets the offset of its zone on that day", () => {
  assert.equal(inBerlin("2026-01-15T00:30:00"), "2026-01-15T00:30:00+01:00");
  assert.equal(inBerlin("2026-07-15T00:30:00"), "2026-07-15T00:30:00+02:00");
});

test("a repeated hour is read as its first occurrence", () => {
  assert.equal(inBerlin("2026-10-25T02:30:00"), "2026-10-25T02:30:00+02:00");
  assert.equal(inBerlin("2026-10-25T03:00:00"), "2026-10-25T03:00:00+01:00");
});

test("a skipped hour is read with the offset before the gap", () => {
  assert.equal(inBerlin("2026-03-29T02:30:00"), "2026-03-29T03:30:00+02:00");
});

test("a fixed offset is a zone", () => {
  const instant = Date.parse("2026-07-15T10:00:00Z");
  assert.equal(formatInstant(instant, "-03:30"), "2026-07-15T06:30:00-03:30");
  assert.equal(wallTimeToInstant(Date.parse("2026-07-15T06:30:00Z"), "-03:30"), instant);
});

test("only names of zones are zones", () => {
  for (const name of ["Europe/Berlin", "UTC", "America/St_Johns"]) {
    assert.equal(parseTimeZone(name), name);
  }
  for (const name of ["", "Mars/Olympus", "W. Europe Standard Time", "__proto__", "+99:99"]) {
    assert.equal(parseTimeZone(name), null, name);
  }
});

test("a wall time leads back to an instant with that wall time", () => {
  const zones = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "UTC"];
  const minute = fc.integer({ min: 0, max: 70_000_000 });
  fc.assert(
    fc.property(minute, fc.constantFrom(...zones), (minutes, zone) => {
      const wall = instantToWallTime(minutes * 60_000, zone);
      const instant = wallTimeToInstant(wall, zone);
      assert.equal(instantToWallTime(instant, zone), wall);
      assert.ok(instant <= minutes * 60_000);
    }),
  );
});
