import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { EVENTS_CASES } from "../../conformance/events/check-events.ts";
import { EVENTS_DRIVER_CASES } from "../../conformance/events/driver/check-events-driver.ts";
import { RELEASE_CASES } from "../../conformance/release/check-release.ts";
import { RELEASE_DRIVER_CASES } from "../../conformance/release/driver/check-release-driver.ts";
import { SYNC_CASES } from "../../conformance/sync/check-sync.ts";
import { SYNC_CLIENT_CASES } from "../../conformance/sync/client/check-sync-client.ts";
import { SYNC_DRIVER_CASES } from "../../conformance/sync/driver/check-sync-driver.ts";

const CASES = {
  release: RELEASE_CASES,
  "release-driver": RELEASE_DRIVER_CASES,
  sync: SYNC_CASES,
  "sync-client": SYNC_CLIENT_CASES,
  "sync-driver": SYNC_DRIVER_CASES,
  events: EVENTS_CASES,
  "events-driver": EVENTS_DRIVER_CASES,
};

test("the ids of all cases are those of case-ids.txt, in the order of the report", async () => {
  const expected = await readFile(join(import.meta.dirname, "case-ids.txt"), "utf8");
  const ids = Object.entries(CASES).flatMap(([service, cases]) =>
    cases.map(({ id }) => `${service} ${id}`),
  );
  assert.deepEqual(ids, expected.trimEnd().split("\n"));
});

test("no two cases of a service have the same id", () => {
  for (const cases of Object.values(CASES)) {
    assert.equal(new Set(cases.map(({ id }) => id)).size, cases.length);
  }
});

test("every case of the release and sync contracts, and of clients, cites the contract or a decision", () => {
  for (const [service, contract] of [
    ["release", "release"],
    ["release-driver", "release"],
    ["sync", "sync"],
    ["sync-client", "sync"],
    ["sync-driver", "sync"],
    ["events-driver", "events"],
  ] as const) {
    for (const { id, section } of CASES[service]) {
      assert.match(section, new RegExp(`^(?:${contract} contract|Trellis decision), .`), id);
    }
  }
});

test("a case of the events service cites the contract at its level, a decision at the other", () => {
  for (const { id, section, level } of EVENTS_CASES) {
    const source = level === "contract" ? "events contract" : "Trellis decision";
    assert.ok(section.startsWith(`${source}, `), id);
  }
});

test("the title of every case is a sentence without a final period", () => {
  for (const { id, title } of Object.values(CASES).flat()) {
    assert.match(title, /^[^.]*(?:\.[^. ][^.]*)*[^.]$/, id);
  }
});
