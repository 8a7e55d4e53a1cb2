import assert from "node:assert/strict";
import { test } from "node:test";
import { createFeedBuilder } from "../feed-builder.ts";
import { createZoneFinder } from "./find-zone.ts";
import { createSearchBudget } from "./search-budget.ts";

const SETTINGS = { sourceId: "a", timeZone: "UTC", now: 0 };

test("zones are found by every kind of name", () => {
  const builder = createFeedBuilder("ics", SETTINGS, () => {});
  const find = createZoneFinder("Asia/Tokyo", builder, createSearchBudget());
  assert.equal(find("Europe/Berlin"), "Europe/Berlin");
  assert.equal(find("/mozilla.org/20050126_1/America/Argentina/Salta"), "America/Argentina/Salta");
  assert.equal(find("W. Europe Standard Time"), "Europe/Berlin");
  assert.equal(find("(UTC-07:00) Nowhere"), "-07:00");
  assert.equal(find("+0530"), "+05:30");
  const result = builder.finish(null);
  assert.ok(result.kind === "parsed");
  assert.deepEqual(result.feed.notices, []);
});

test("unknown names are read as the account's zone, never as this machine's", () => {
  const builder = createFeedBuilder("ics", SETTINGS, () => {});
  const find = createZoneFinder("Asia/Tokyo", builder, createSearchBudget());
  for (const name of [
    "Nowhere",
    "Customized Time Zone",
    "tzone://Microsoft/Custom",
    "(no TZ description)",
    "__proto__",
    "+9900",
    '";:\n',
    "x".repeat(1_000),
  ]) {
    assert.equal(find(name), "Asia/Tokyo", name);
  }
  const result = builder.finish(null);
  assert.ok(result.kind === "parsed");
  assert.equal(result.feed.notices[0]?.count, 8);
});

test("names are looked up once, and only so many of them", () => {
  const builder = createFeedBuilder("ics", SETTINGS, () => {});
  const find = createZoneFinder("UTC", builder, createSearchBudget());
  for (let index = 0; index < 100; index++) find(`Zone ${index}`);
  assert.equal(find("Europe/Berlin"), "UTC");
});
