import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatInstant, instantToWallTime, isTimeZone, wallTimeToInstant } from "./time-zone.ts";

const inBerlin = (clock: string) =>
  formatInstant(wallTimeToInstant(Date.parse(`${clock}Z`), "Europe/Berlin"), "Europe/Berlin");

test("a clock time gets the offset of its zone on that day", () => {
  assert.equal(inBerlin("2026-01-15T00:30:00"), "2026-01-15T00:30:00+01:00");
  assert.equal(inBerlin("2026-07-15T00:30:00"), "2026-07-15T00:30:00+02:00");
});

test("of an hour that comes twice the first is meant", () => {
  assert.equal(inBerlin("2026-10-25T02:30:00"), "2026-10-25T02:30:00+02:00");
  assert.equal(inBerlin("2026-10-25T03:00:00"), "2026-10-25T03:00:00+01:00");
});

test("an hour that is left out is read with the offset from before", () => {
  assert.equal(inBerlin("2026-03-29T02:30:00"), "2026-03-29T03:30:00+02:00");
});

test("a fixed offset is a zone", () => {
  const instant = Date.parse("2026-07-15T10:00:00Z");
  assert.equal(formatInstant(instant, "-03:30"), "2026-07-15T06:30:00-03:30");
  assert.equal(wallTimeToInstant(Date.parse("2026-07-15T06:30:00Z"), "-03:30"), instant);
});

test("names that are no zones are told apart", () => {
  for (const name of ["Europe/Berlin", "UTC", "America/St_Johns"]) assert.ok(isTimeZone(name));
  for (const name of ["", "Mars/Olympus", "W. Europe Standard Time", "__proto__", "+99:99"]) {
    assert.ok(!isTimeZone(name), name);
  }
});

test("what clocks show leads back to a moment at which they show it", () => {
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
