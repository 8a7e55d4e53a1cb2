import assert from "node:assert/strict";
import { test } from "node:test";
import { StorageUnavailableError } from "../database/database.ts";
import { SECURITY_EVENT_KINDS } from "../identity/security-event.ts";
import { describeNotice, logNotice } from "./notices.ts";

test("a loaded catalogue is logged with its warnings, if there are any", () => {
  const loaded = { releases: 3, sequence: 7, durationMs: 12 };
  const notice = { kind: "catalog-loaded", ...loaded, warnings: [] } as const;
  assert.deepEqual(describeNotice("release", notice), [
    "catalog_loaded",
    { service: "release", ...loaded },
    "info",
  ]);
  const [, fields, level] = describeNotice("release", { ...notice, warnings: ["expires soon"] });
  assert.equal(level, "warn");
  assert.deepEqual(fields["warnings"], ["expires soon"]);
});

test("a rejected catalogue is logged with its errors and what stays in force", () => {
  const notice = { kind: "catalog-refused", errors: ["keys.json is missing"] } as const;
  const [event, fields] = describeNotice("release", notice);
  assert.equal(event, "catalog_refused");
  assert.deepEqual(fields["errors"], ["keys.json is missing"]);
  assert.match(String(fields["message"]), /last good catalogue stays in force/);
});

for (const [wasRolledBack, sessionsWereRevoked, expected] of [
  [true, false, ["store_was_behind"]],
  [false, true, ["sessions_revoked"]],
  [true, true, ["store_was_behind", "sessions_revoked"]],
] as const) {
  test(`a rollback is logged as what it did: ${expected.join(" and ")}`, () => {
    const logged: string[] = [];
    const log = { event: (event: string) => void logged.push(event) };
    logNotice(log, "sync", { kind: "rollback", wasRolledBack, sessionsWereRevoked });
    assert.deepEqual(logged, expected);
  });
}

function describeError(error: unknown): string {
  return JSON.stringify(
    describeNotice("release", { kind: "unexpected-error", requestId: "id", error }),
  );
}

test("an error is logged by its name and stack frames, never by its message", () => {
  const text = describeError(new RangeError("hunter2 is no number"));
  assert.match(text, /"error":"RangeError"/);
  assert.match(text, /notices\.test\.ts:\d+/);
  assert.match(text, /"requestId":"id"/);
  assert.doesNotMatch(text, /hunter2/);
});

test("no line of a message is logged as a stack frame", () => {
  for (const message of ["bad\n    at hunter2", "\nat hunter2 (x.ts:1:1)", "at hunter2"]) {
    const error = new Error(message);
    const text = describeError(error);
    assert.doesNotMatch(text, /hunter2/);
    assert.match(text, /notices\.test\.ts:\d+/);
    // The stack still has the old message after the message was changed.
    error.message = "changed";
    assert.doesNotMatch(describeError(error), /hunter2/);
  }
});

test("the cause of an error and its own properties are not logged", () => {
  const error = Object.assign(new Error("a", { cause: new Error("hunter2") }), {
    token: "hunter2",
  });
  assert.doesNotMatch(describeError(error), /hunter2/);
});

test("a thrown value that is not an Error is logged by its type", () => {
  for (const [thrown, type] of [
    ["hunter2", "string"],
    [undefined, "undefined"],
    [{ token: "hunter2" }, "object"],
  ] as const) {
    const text = describeError(thrown);
    assert.match(text, new RegExp(`"error":"${type}"`));
    assert.doesNotMatch(text, /hunter2/);
  }
});

test("a fetched calendar is logged in counts, without names", () => {
  const summary = { added: 2, changed: 1, deleted: 0, unchanged: 7, held: 0, skippedCount: 1 };
  const outcome = {
    kind: "imported",
    summary: {
      ...summary,
      skipped: [{ what: "hunter2", reason: "bad-date" }],
      notices: [{ code: "unknown-zone", count: 1, examples: ["hunter2"] }],
    },
    warning: null,
  } as const;
  const notice = { kind: "subscription-fetched", sourceId: "id", outcome } as const;
  assert.deepEqual(describeNotice("events", notice), [
    "subscription_fetched",
    {
      service: "events",
      sourceId: "id",
      outcome: "imported",
      added: 2,
      changed: 1,
      deleted: 0,
      unchanged: 7,
      held: 0,
      skipped: 1,
    },
    "info",
  ]);
  const [, warned] = describeNotice("events", {
    ...notice,
    outcome: { ...outcome, warning: "shrunk" },
  });
  assert.equal(warned["warning"], "shrunk");
  const [, unchanged] = describeNotice("events", { ...notice, outcome: { kind: "unchanged" } });
  assert.deepEqual(unchanged, { service: "events", sourceId: "id", outcome: "unchanged" });
});

test("a failed fetch is logged with its error code, and that the events stay", () => {
  const [event, fields] = describeNotice("events", {
    kind: "subscription-failed",
    sourceId: "id",
    error: "timed-out",
    failures: 3,
  });
  assert.equal(event, "subscription_failed");
  assert.deepEqual([fields["error"], fields["failures"]], ["timed-out", 3]);
  assert.match(String(fields["message"]), /its events stay as they are/);
});

test("an error of an import is logged by its name and stack frames", () => {
  const error = new RangeError("hunter2");
  for (const notice of [
    { kind: "subscription-error", sourceId: "id", error },
    { kind: "subscriptions-unavailable", error },
  ] as const) {
    const text = JSON.stringify(describeNotice("events", notice));
    assert.match(text, /"error":"RangeError"/);
    assert.doesNotMatch(text, /hunter2/);
  }
});

test("a page at another address, an unlisted redirect URI and a refused origin are logged with what to do", () => {
  const [event, fields] = describeNotice("sync", { kind: "opened-elsewhere", requestId: "id" });
  assert.equal(event, "page_opened_elsewhere");
  assert.match(String(fields["message"]), /open it there, or correct sync\.baseUrl/);
  const unlisted = { kind: "redirect-not-listed", requestId: "id", clientId: null } as const;
  const [unlistedEvent, ofSync] = describeNotice("sync", unlisted);
  assert.equal(unlistedEvent, "redirect_not_listed");
  assert.match(String(ofSync["message"]), /sync\.redirectUris does not list: add it/);
  assert.deepEqual(Object.keys(ofSync), ["service", "requestId", "message"]);
  const refused = { kind: "origin-refused", requestId: "id", origin: "https://a.example" } as const;
  const [refusedEvent, { origin, message }] = describeNotice("sync", refused);
  assert.deepEqual([refusedEvent, origin], ["origin_refused", "https://a.example"]);
  assert.match(String(message), /sync\.corsOrigins does not list was refused: add the origin/);
  const [, ofEvents] = describeNotice("events", { ...unlisted, clientId: "app" });
  assert.match(String(ofEvents["message"]), /events\.clients\[\]\.redirectUris/);
  assert.equal(ofEvents["clientId"], "app");
});

test("a device beyond the quota is a warning that names the setting", () => {
  const notice = { kind: "too-many-devices", requestId: "id", maxDevices: 2 } as const;
  const [event, fields, level] = describeNotice("sync", notice);
  assert.deepEqual([event, level, fields["requestId"]], ["too_many_devices", "warn", "id"]);
  assert.match(String(fields["message"]), /quota\.devices allows 2/);
});

test("an unavailable store is logged with its reason, without a stack", () => {
  const error = new StorageUnavailableError("the disk is full (SQLite 13)");
  assert.deepEqual(describeNotice("sync", { kind: "prune-failed", error }), [
    "prune_failed",
    { service: "sync", error: "StorageUnavailableError", message: error.message },
    "error",
  ]);
  assert.deepEqual(describeNotice("sync", { kind: "storage-unavailable", reason: error.message }), [
    "storage_unavailable",
    { service: "sync", message: error.message },
    "error",
  ]);
  const end = { kind: "storage-available", unavailableMs: 4000, failures: 3 } as const;
  const [event, fields, level] = describeNotice("sync", end);
  assert.deepEqual([event, level], ["storage_available", "info"]);
  assert.deepEqual([fields["unavailableMs"], fields["failures"]], [4000, 3]);
});

test("every security event is a line of its own with the network's prefix", () => {
  const names = SECURITY_EVENT_KINDS.map((kind) => {
    const event = { kind, network: "203.0.113.0/24" };
    const [name, fields] = describeNotice("sync", { kind: "security-event", event });
    assert.deepEqual(Object.keys(fields), ["service", "message", "network"]);
    return name;
  });
  assert.deepEqual(names, [
    "refresh_token_reused",
    "code_replayed",
    "throttling_begun",
    "new_device",
    "password_changed",
    "device_signed_out",
    "signed_out_everywhere",
    "everything_deleted",
    "sign_in_link_made",
    "sign_in_link_used",
    "invitation_made",
    "invitation_used",
    "reset_link_made",
    "reset_link_used",
    "passkey_added",
    "passkey_removed",
    "passkey_counter_went_back",
    "store_was_behind",
    "store_rolled_back",
    "worker_died",
  ]);
});
