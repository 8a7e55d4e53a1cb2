import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { IncomingHttpHeaders, RequestListener, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { test, type TestContext } from "node:test";
import { serveOnLoopback } from "../../../test/fixtures/loopback-server.ts";
import { createSigner, type ManifestEnvelope } from "../../../conformance/release/driver/signer.ts";
import { createPayload, EXPIRES_AT, ISSUED_AT } from "../../../test/fixtures/signed-envelope.ts";
import type { UpdateCheckResult, UpdateError } from "./check-for-update.ts";
import { createUpdateClient } from "./create-update-client.ts";
import type { UpdateClientOptions } from "./settings.ts";
import { createMemoryStorage, type UpdateStorage } from "./storage.ts";

const active = createSigner("release-2026-01");
const standby = createSigner("release-2026-02");
const options = {
  product: "habits",
  keys: { [active.keyId]: active.publicKey, [standby.keyId]: standby.publicKey },
  platform: "linux",
  current: { version: "1.1.0", buildNumber: 11 },
  now: () => ISSUED_AT,
} as const;

/** A client of a server with this listener. */
async function connect(
  t: TestContext,
  listener: RequestListener,
  changes: Partial<UpdateClientOptions> = {},
) {
  const baseUrl = await serveOnLoopback(t, listener);
  return createUpdateClient({ ...options, storage: createMemoryStorage(), baseUrl, ...changes });
}

const etagOf = (envelope: ManifestEnvelope) =>
  `"${createHash("sha256").update(JSON.stringify(envelope)).digest("hex")}"`;

interface Service {
  envelope: ManifestEnvelope;
  readonly requests: IncomingHttpHeaders[];
  readonly listener: RequestListener;
}

/** What the release service does: the envelope with its ETag, or 304. */
function createService(first: ManifestEnvelope = active.seal(createPayload())): Service {
  const service: Service = {
    envelope: first,
    requests: [],
    listener: (request, response) => {
      service.requests.push(request.headers);
      const etag = etagOf(service.envelope);
      response.setHeader("ETag", etag);
      if (request.url !== "/api/v1/manifest") return response.writeHead(404).end();
      if (request.headers["if-none-match"] === etag) return response.writeHead(304).end();
      return response.end(JSON.stringify(service.envelope));
    },
  };
  return service;
}

const errorOf = (check: UpdateCheckResult): UpdateError | null =>
  check.kind === "cannot-confirm" ? check.error : null;

const kindOf = (check: UpdateCheckResult): string => errorOf(check)?.kind ?? check.kind;

test("a verified manifest says what to do", async (t) => {
  const client = await connect(t, createService().listener);
  const check = await client.check();
  assert.equal(check.kind, "update-available");
  assert.equal(check.kind === "update-available" && check.release.version, "1.2.0");
});

test("the request carries neither cookies nor credentials nor a referrer", async (t) => {
  const service = createService();
  await (await connect(t, service.listener)).check();
  const [headers] = service.requests;
  for (const name of ["cookie", "authorization", "referer"])
    assert.equal(headers?.[name], undefined);
});

test("the second check sends the ETag and verifies the stored envelope again", async (t) => {
  const service = createService();
  let now = ISSUED_AT;
  const client = await connect(t, service.listener, { now: () => now });
  await client.check();
  assert.equal((await client.check()).kind, "update-available");
  assert.deepEqual(
    service.requests.map((headers) => headers["if-none-match"]),
    [undefined, etagOf(service.envelope)],
  );
  now = EXPIRES_AT;
  assert.equal(kindOf(await client.check()), "expired");
});

const HOUR = 3_600_000;
const soon = new Date(ISSUED_AT + HOUR).toISOString();

test("a stored envelope that is refused after a 304 is asked for again without its ETag", async (t) => {
  const service = createService(active.seal(createPayload({ expiresAt: soon })));
  let now = ISSUED_AT;
  const later = active.seal(createPayload({ sequence: 8 }));
  const client = await connect(t, poison(service, later), { now: () => now });
  await client.check();
  service.envelope = later;
  now += HOUR;
  assert.equal((await client.check()).kind, "update-available");
  assert.deepEqual(
    service.requests.map((headers) => headers["if-none-match"]),
    [etagOf(later), undefined],
  );
});

/** The first response has the ETag of a later envelope: it is not signed. */
function poison(service: Service, later: ManifestEnvelope): RequestListener {
  let isFirst = true;
  return (request, response) => {
    if (!isFirst) return service.listener(request, response);
    isFirst = false;
    response.setHeader("ETag", etagOf(later));
    return response.end(JSON.stringify(service.envelope));
  };
}

test("a thief's ETag keeps the maker's revocation away for a day at most", async (t) => {
  const service = createService();
  let now = ISSUED_AT;
  const storage = createMemoryStorage();
  const revocation = standby.seal(createPayload({ sequence: 8, revokedKeys: [active.keyId] }));
  const client = await connect(t, poison(service, revocation), { now: () => now, storage });
  await client.check();
  service.envelope = revocation;
  now += 24 * HOUR - 1;
  await client.check();
  assert.equal((await storage.load())?.includes(standby.publicKey), false);
  now += 1;
  assert.equal((await client.check()).kind, "update-available");
  assert.ok((await storage.load())?.includes(standby.publicKey));
  service.envelope = active.seal(createPayload({ sequence: 9 }));
  assert.equal(kindOf(await client.check()), "revoked-key");
});

test("an ETag with the digest of its envelope is used without a limit of time, whatever the encoding", async (t) => {
  const envelope = JSON.stringify(active.seal(createPayload()));
  const digest = createHash("sha256").update(envelope).digest("base64url");
  for (const etag of [
    `"${digest}"`,
    `W/"${digest}"`,
    `"${digest}-br-0aZ_-9xy"`,
    `W/"${digest}-gzip"`,
  ]) {
    const conditions: unknown[] = [];
    let now = ISSUED_AT;
    const client = await connect(
      t,
      (request, response) => {
        conditions.push(request.headers["if-none-match"]);
        response.setHeader("ETag", etag);
        return conditions.length > 1 ? response.writeHead(304).end() : response.end(envelope);
      },
      { now: () => now },
    );
    await client.check();
    now += 20 * 24 * HOUR;
    assert.equal((await client.check()).kind, "update-available");
    assert.deepEqual(conditions, [undefined, etag]);
  }
});

test("an ETag in which the digest is not the first part is used for a day", async (t) => {
  const envelope = JSON.stringify(active.seal(createPayload()));
  const digest = createHash("sha256").update(envelope).digest("base64url");
  for (const etag of [`"x${digest}"`, `"${digest}x"`, `"${"x".repeat(43)}-${digest}"`]) {
    const conditions: unknown[] = [];
    let now = ISSUED_AT;
    const client = await connect(
      t,
      (request, response) => {
        conditions.push(request.headers["if-none-match"]);
        response.setHeader("ETag", etag);
        return response.end(envelope);
      },
      { now: () => now },
    );
    await client.check();
    now += 24 * HOUR;
    await client.check();
    assert.deepEqual(conditions, [undefined, undefined]);
  }
});

test("after the clock was set back, an ETag that is no digest is not sent", async (t) => {
  const service = createService();
  let now = ISSUED_AT + HOUR;
  const client = await connect(t, service.listener, { now: () => now });
  await client.check();
  now = ISSUED_AT;
  await client.check();
  assert.equal(service.requests.at(-1)?.["if-none-match"], undefined);
});

test("a server that says not modified to everything is an error, not a loop", async (t) => {
  const service = createService(active.seal(createPayload({ expiresAt: soon })));
  let now = ISSUED_AT;
  let requests = 0;
  const client = await connect(
    t,
    (request, response) => {
      requests++;
      if (requests === 1) return service.listener(request, response);
      return response.writeHead(304).end();
    },
    { now: () => now },
  );
  await client.check();
  now += HOUR;
  assert.deepEqual(errorOf(await client.check()), { kind: "http-status", status: 304 });
  assert.equal(requests, 3);
});

test("the ETag of an envelope whose key is no longer pinned is not sent", async (t) => {
  const service = createService();
  const storage = createMemoryStorage();
  await (await connect(t, service.listener, { storage })).check();
  const keys = { [standby.keyId]: standby.publicKey };
  const check = await (await connect(t, service.listener, { storage, keys })).check();
  assert.equal(kindOf(check), "unknown-key");
  assert.deepEqual(check.notices, []);
  assert.equal(service.requests.at(-1)?.["if-none-match"], undefined);
});

test("a response of not modified to an unconditional request proves nothing", async (t) => {
  const client = await connect(t, (_, response) => response.writeHead(304).end());
  assert.deepEqual(errorOf(await client.check()), { kind: "http-status", status: 304 });
});

test("a manifest of the standby key is accepted, and so the active key can be lost", async (t) => {
  const service = createService();
  const client = await connect(t, service.listener);
  await client.check();
  service.envelope = standby.seal(createPayload({ sequence: 8 }));
  assert.equal((await client.check()).kind, "update-available");
});

test("the highest sequence outlives the client, and a lower one is a rollback", async (t) => {
  const service = createService(active.seal(createPayload({ sequence: 9 })));
  const storage = createMemoryStorage();
  await (await connect(t, service.listener, { storage })).check();
  const restarted = await connect(t, service.listener, { storage });
  for (const [sequence, kind] of [
    [8, "rollback"],
    [9, "update-available"],
    [10, "update-available"],
    [9, "rollback"],
  ] as const) {
    service.envelope = active.seal(createPayload({ sequence }));
    assert.equal(kindOf(await restarted.check()), kind, `sequence ${sequence}`);
  }
});

const tampered = { ...active.seal(createPayload()), keyId: standby.keyId };
const stranger = createSigner("release-2026-09");
const refusals: [string, ManifestEnvelope][] = [
  ["bad-signature", tampered],
  ["unknown-key", stranger.seal(createPayload())],
  ["wrong-algorithm", { ...active.seal(createPayload()), algorithm: "rsa" }],
  ["malformed-envelope", { ...active.seal(createPayload()), schemaVersion: 2 }],
  ["malformed-payload", active.seal({ hello: "world" })],
  ["wrong-product", active.seal(createPayload({ product: "notes" }))],
  ["rollback", active.seal(createPayload({ sequence: 6 }))],
  ["sequence-jump", active.seal(createPayload({ sequence: 1_000_008 }))],
  ["conflicting-manifest", active.seal(createPayload({ previous: "cd".repeat(32) }))],
  [
    "lifetime-too-long",
    active.seal(createPayload({ sequence: 8, expiresAt: "2027-02-05T00:00:01Z" })),
  ],
  ["expired", active.seal(createPayload({ sequence: 99, expiresAt: "2025-12-31T23:59:59Z" }))],
];

for (const [kind, envelope] of refusals) {
  test(`a manifest refused as ${kind} leaves what was stored as it was`, async (t) => {
    const service = createService();
    const storage = createMemoryStorage();
    const client = await connect(t, service.listener, { storage });
    await client.check();
    const before = await storage.load();
    service.envelope = envelope;
    assert.equal(kindOf(await client.check()), kind);
    assert.equal(await storage.load(), before);
    service.envelope = active.seal(createPayload({ sequence: 8 }));
    assert.equal((await client.check()).kind, "update-available");
  });
}

test("every other status is named", async (t) => {
  for (const status of [404, 500, 503]) {
    const client = await connect(t, (_, response) => response.writeHead(status).end("{}"));
    assert.deepEqual(errorOf(await client.check()), { kind: "http-status", status });
  }
});

test("a redirect is not followed, even to a genuine manifest", async (t) => {
  const elsewhere = await serveOnLoopback(t, createService().listener);
  const client = await connect(t, (_, response) =>
    response.writeHead(302, { Location: `${elsewhere}/api/v1/manifest` }).end(),
  );
  assert.deepEqual(errorOf(await client.check()), { kind: "redirected" });
});

test("a server that is not there is unreachable", async () => {
  const client = createUpdateClient({
    ...options,
    storage: createMemoryStorage(),
    baseUrl: "http://127.0.0.1:1",
  });
  assert.equal(kindOf(await client.check()), "unreachable");
});

test("a connection that breaks off is unreachable", async (t) => {
  const client = await connect(t, (_, response) => {
    response.writeHead(200, { "Content-Length": 1000 });
    response.write("{", () => response.destroy());
  });
  assert.equal(kindOf(await client.check()), "unreachable");
});

/** Writes for as long as the other side listens. */
async function pour(response: ServerResponse, chunk: string, pauseMs: number): Promise<void> {
  while (!response.destroyed) {
    response.write(chunk);
    await delay(pauseMs);
  }
}

test("a body without end is cut at the limit and the connection closed", async (t) => {
  const closed = Promise.withResolvers<void>();
  const client = await connect(
    t,
    (_, response) => {
      response.on("close", closed.resolve);
      void pour(response, "x".repeat(1024), 0);
    },
    { limits: { maxManifestBytes: 10_000 } },
  );
  assert.deepEqual(errorOf(await client.check()), { kind: "too-large", maxBytes: 10_000 });
  await closed.promise;
});

test("a body of exactly the limit is read", async (t) => {
  const service = createService();
  const maxManifestBytes = Buffer.byteLength(JSON.stringify(service.envelope));
  const client = await connect(t, service.listener, { limits: { maxManifestBytes } });
  assert.equal((await client.check()).kind, "update-available");
  const tighter = { limits: { maxManifestBytes: maxManifestBytes - 1 } };
  assert.equal(kindOf(await (await connect(t, service.listener, tighter)).check()), "too-large");
});

test("a body that drips past the time limit is a timeout, however lively it looks", async (t) => {
  const client = await connect(t, (_, response) => void pour(response, " ", 10), {
    limits: { timeoutMs: 120 },
  });
  const started = Date.now();
  assert.deepEqual(errorOf(await client.check()), { kind: "timeout", timeoutMs: 120 });
  assert.ok(Date.now() - started < 2000);
});

test("a server that never responds is a timeout", async (t) => {
  const client = await connect(t, () => {}, { limits: { timeoutMs: 50 } });
  assert.equal(kindOf(await client.check()), "timeout");
});

test("the app can cancel a check", async (t) => {
  const client = await connect(t, () => {});
  assert.equal(kindOf(await client.check({ signal: AbortSignal.timeout(30) })), "cancelled");
  assert.equal(kindOf(await client.check({ signal: AbortSignal.abort() })), "cancelled");
});

test("bytes that are not UTF-8 are a malformed response", async (t) => {
  const client = await connect(t, (_, response) => response.end(Buffer.of(0x7b, 0xff, 0x7d)));
  assert.deepEqual(errorOf(await client.check()), {
    kind: "malformed-response",
    detail: "not UTF-8",
  });
});

test("damaged state neither stops the client nor is sent anywhere", async (t) => {
  for (const text of ["", "{", "null", "[]", '{"highestSequence":1e999,"etag":"\\r\\n"}']) {
    const service = createService();
    const storage = createMemoryStorage();
    await storage.save(text);
    const client = await connect(t, service.listener, { storage });
    const check = await client.check();
    assert.equal(check.kind, "update-available", text);
    const lost = ["manifest", "sequences", "revocations"];
    assert.deepEqual(check.notices, [{ kind: "stored-state-damaged", lost }]);
    assert.equal(service.requests[0]?.["if-none-match"], undefined);
    const next = await client.check();
    assert.equal(next.kind, "update-available");
    assert.deepEqual(next.notices, []);
  }
});

test("a forged stored envelope is not shown for a 304", async (t) => {
  const forged = { ...stranger.seal(createPayload({ sequence: 50 })), keyId: active.keyId };
  const storage = createMemoryStorage();
  await storage.save(
    JSON.stringify({ highestSequence: 1, etag: '"x"', envelope: JSON.stringify(forged) }),
  );
  const client = await connect(t, (_, response) => response.writeHead(304).end(), { storage });
  assert.deepEqual(errorOf(await client.check()), { kind: "http-status", status: 304 });
});

test("storage that fails is a result, and nothing is confirmed without it", async (t) => {
  const cause = new Error("disk full");
  const fail = () => Promise.reject(cause);
  const memory = createMemoryStorage();
  for (const storage of [
    { ...memory, load: fail },
    { ...memory, save: fail },
  ] satisfies UpdateStorage[]) {
    const client = await connect(t, createService().listener, { storage });
    assert.deepEqual(errorOf(await client.check()), { kind: "storage-failed", cause });
  }
});

test("an unchanged manifest is not written again", async (t) => {
  const memory = createMemoryStorage();
  let saves = 0;
  const storage: UpdateStorage = {
    load: () => memory.load(),
    save: (text) => {
      saves++;
      return memory.save(text);
    },
  };
  const client = await connect(t, createService().listener, { storage });
  await Promise.all([client.check(), client.check(), client.check()]);
  assert.equal(saves, 1);
});

test("the clock does not run before the latest manifest that was verified", async (t) => {
  const deadline = "2026-01-10T00:00:00Z";
  const [release] = createPayload().releases;
  assert.ok(release);
  const releases = [{ ...release, mandatoryAfter: deadline }];
  const service = createService(active.seal(createPayload({ issuedAt: deadline, releases })));
  const storage = createMemoryStorage();
  const now = () => ISSUED_AT;
  const first = await (await connect(t, service.listener, { storage, now })).check();
  assert.equal(first.kind === "update-available" && first.mandatory, true);
  // A manifest that expired before that is not shown, whatever the device's clock says.
  service.envelope = active.seal(createPayload({ sequence: 8, expiresAt: "2026-01-09T00:00:00Z" }));
  assert.equal(
    kindOf(await (await connect(t, service.listener, { storage, now })).check()),
    "expired",
  );
});

test("a revocation outlives the client, and a manifest of the revoked key is refused", async (t) => {
  const service = createService();
  const storage = createMemoryStorage();
  await (await connect(t, service.listener, { storage })).check();
  // The thief's last manifest, as far ahead as one can be.
  service.envelope = active.seal(createPayload({ sequence: 1_000_007 }));
  assert.equal(
    (await (await connect(t, service.listener, { storage })).check()).kind,
    "update-available",
  );
  service.envelope = standby.seal(createPayload({ sequence: 8, revokedKeys: [active.keyId] }));
  assert.equal(
    (await (await connect(t, service.listener, { storage })).check()).kind,
    "update-available",
  );
  service.envelope = active.seal(createPayload({ sequence: 1_000_008 }));
  const check = await (await connect(t, service.listener, { storage })).check();
  assert.deepEqual(errorOf(check), { kind: "revoked-key", keyId: active.keyId });
});

test("keys that revoke each other stop the client for good, whichever was first and whatever is shown", async (t) => {
  const forged = active.seal(createPayload({ sequence: 900_000, revokedKeys: [standby.keyId] }));
  const honest = standby.seal(createPayload({ sequence: 8, revokedKeys: [active.keyId] }));
  for (const [first, second] of [
    [forged, honest],
    [honest, forged],
  ] as const) {
    const service = createService();
    const storage = createMemoryStorage();
    const check = async (shown: ManifestEnvelope) => {
      service.envelope = shown;
      return (await connect(t, service.listener, { storage })).check();
    };
    assert.equal((await check(first)).kind, "update-available");
    const contestedKeys = [active.keyId, standby.keyId];
    for (const shown of [
      second,
      first,
      second,
      active.seal(createPayload({ sequence: 900_001 })),
    ]) {
      assert.deepEqual(errorOf(await check(shown)), {
        kind: "conflicting-revocations",
        keyId: shown.keyId,
        contestedKeys,
      });
    }
    // The version of the app that the maker brings to people in another way.
    const keys = { [standby.keyId]: standby.publicKey };
    service.envelope = honest;
    const updated = await connect(t, service.listener, { storage, keys });
    assert.equal((await updated.check()).kind, "update-available");
  }
});

test("a conflict that cannot be saved is a failure of the storage", async (t) => {
  const service = createService(active.seal(createPayload({ revokedKeys: [standby.keyId] })));
  const memory = createMemoryStorage();
  await (await connect(t, service.listener, { storage: memory })).check();
  service.envelope = standby.seal(createPayload({ sequence: 8, revokedKeys: [active.keyId] }));
  const storage = { ...memory, save: () => Promise.reject(new Error("disk full")) };
  const client = await connect(t, service.listener, { storage });
  assert.equal(kindOf(await client.check()), "storage-failed");
});

test("an update of the app whose ring lacks the stolen key ends what that key claimed", async (t) => {
  const service = createService(active.seal(createPayload({ sequence: 2 ** 53 - 1 })));
  const storage = createMemoryStorage();
  await (await connect(t, service.listener, { storage })).check();
  service.envelope = standby.seal(createPayload({ sequence: 8 }));
  assert.equal(kindOf(await (await connect(t, service.listener, { storage })).check()), "rollback");
  const keys = { [standby.keyId]: standby.publicKey };
  const updated = await connect(t, service.listener, { storage, keys });
  assert.equal((await updated.check()).kind, "update-available");
});
