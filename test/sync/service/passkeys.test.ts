import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { Deviations } from "../../../conformance/authenticator.ts";
import { KNOWN_BROWSER_HEADER } from "../../../src/contract/identity.ts";
import type { SecurityEvent } from "../../../src/identity/security-event.ts";
import type { RequestLogEntry } from "../../../src/http/request-log.ts";
import type { SyncServiceOptions } from "../../../src/sync/setup/options.ts";
import { createPlace, testOnBothStores } from "../operations/on-both-stores.ts";
import { beginPasskeySignIn, PASSKEY_ATTEMPT, postPasskey } from "../passkey-client.ts";
import { completeRightly } from "./guess.ts";
import { BASE_URL, redeem, startSyncService } from "./sync-service.ts";

const { state, redirectUri, attemptId } = PASSKEY_ATTEMPT;

async function start(t: TestContext, options: Partial<SyncServiceOptions> = {}) {
  const place = await createPlace(t, "SQLite");
  return startSyncService(await place.open(), options);
}

async function expectRefused(response: Response): Promise<void> {
  assert.equal(response.status, 401);
  const { error, message } = (await response.json()) as Record<string, string>;
  assert.equal(error, "authentication_failed");
  assert.doesNotMatch(message ?? "", /passkey|origin|counter/i, "the reason is not told");
  assert.equal(response.headers.get(KNOWN_BROWSER_HEADER), null);
}

testOnBothStores("a passkey gives a code that signs a device in", async ({ open }) => {
  const events: SecurityEvent[] = [];
  const log: RequestLogEntry[] = [];
  const { ask, addPasskey } = await startSyncService(await open(), {
    onNotice: (notice) => notice.kind === "security-event" && events.push(notice.event),
    log: (entry) => log.push(entry),
  });
  const passkey = await addPasskey();
  const begun = await beginPasskeySignIn(ask, BASE_URL);
  assert.equal(begun.request.rpId, "localhost");
  const completed = await begun.complete(passkey);
  assert.equal(completed.status, 200);
  const { code, ...rest } = (await completed.json()) as { readonly code: string };
  assert.deepEqual(rest, { state, redirectUri });
  assert.equal((await redeem(ask, code, attemptId)).status, 200);
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ["new-device"],
  );
  const told = JSON.stringify([log, events]);
  for (const secret of [code, begun.request.challenge, passkey.id]) {
    assert.ok(!told.includes(secret));
  }
});

const DISHONEST: Readonly<Record<string, Deviations>> = {
  "another origin": { origin: "https://evil.example.com" },
  "the same host at another port": { origin: "http://localhost:9999" },
  "a frame of another site": { crossOrigin: true },
  "another relying party": { rpId: "evil.example.com" },
  "no user verification": { userVerified: false },
  "another user handle": { userHandle: "AAAA" },
};

test("a response with anything else than was asked for is refused", async (t) => {
  const { ask, addPasskey } = await start(t);
  const passkey = await addPasskey();
  for (const [name, given] of Object.entries(DISHONEST)) {
    const begun = await beginPasskeySignIn(ask, BASE_URL);
    const response = await begun.complete(passkey, given);
    assert.equal(response.status, 401, name);
    await expectRefused(response);
    assert.equal((await begun.complete(passkey)).status, 200, name);
  }
});

test("beginning needs no transaction, whatever a flood of them asks", async (t) => {
  const store = await (await createPlace(t, "SQLite")).open();
  let transactions = 0;
  const { ask } = await startSyncService({
    ...store,
    transaction(work, options) {
      transactions++;
      return store.transaction(work, options);
    },
  });
  transactions = 0;
  for (let count = 0; count < 5; count++) await beginPasskeySignIn(ask, BASE_URL);
  assert.equal(transactions, 0);
});

test("requests of a client are limited, those of a known browser apart", async (t) => {
  const { ask, askFrom } = await start(t, { limits: { authorizePerMinute: 1 } });
  const known = (await completeRightly(ask)).headers.get(KNOWN_BROWSER_HEADER) ?? "";
  const statuses = new Set<number>();
  for (let count = 0; count < 12; count++) {
    statuses.add((await postPasskey(ask, { action: "begin" })).status);
  }
  assert.deepEqual([...statuses], [200, 429]);
  const header = { [KNOWN_BROWSER_HEADER]: known };
  assert.equal((await postPasskey(ask, { action: "begin" }, header)).status, 200);
  assert.equal((await postPasskey(askFrom("203.0.113.9"), { action: "begin" })).status, 200);
});

test("forged, malformed and unlisted attempts begin nothing", async (t) => {
  const { ask } = await start(t, { corsOrigins: ["https://app.example.com"] });
  const begin = async (body: Record<string, unknown>, headers: Record<string, string> = {}) => {
    const response = await postPasskey(ask, { action: "begin", ...body }, headers);
    const { error } = (await response.json()) as { readonly error?: string };
    return [response.status, error];
  };
  const forged = [403, "csrf_failed"];
  assert.deepEqual(await begin({}, { "X-Service-CSRF": "another" }), forged);
  assert.deepEqual(await begin({}, { "Sec-Fetch-Site": "cross-site" }), forged);
  const otherState = { ...PASSKEY_ATTEMPT, state: "a-state-of-another-attempt" };
  assert.deepEqual(await begin({ attempt: otherState }), forged);
  const denied = [403, "cors_denied"];
  assert.deepEqual(await begin({}, { Origin: "https://evil.example" }), denied);
  const invalid = [400, "invalid_authorization_request"];
  for (const attempt of [
    null,
    {},
    { ...PASSKEY_ATTEMPT, username: "anna" },
    { ...PASSKEY_ATTEMPT, deviceId: "a b" },
    { ...PASSKEY_ATTEMPT, redirectUri: "https://evil.example/callback" },
  ]) {
    assert.deepEqual(await begin({ attempt }), invalid);
  }
  const body = [400, "invalid_request"];
  assert.deepEqual(await begin({ action: "complete" }), body);
  assert.deepEqual(await begin({ action: "complete", credential: { id: "\u0000" } }), body);
  assert.deepEqual(await begin({ more: 1 }), body);
});
