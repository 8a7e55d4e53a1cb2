import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  createPayload,
  createSigner,
  type Signer,
} from "../../../test/fixtures/signed-envelope.ts";
import type { ManifestPayload } from "../../contract/release/types.ts";
import {
  NO_MANIFEST_MEMORY,
  verifyNextManifest,
  type ManifestMemory,
  type NextManifestResult,
} from "./manifest-memory.ts";

const active = createSigner("release-2026-01");
const standby = createSigner("release-2026-02");
const spare = createSigner("release-2026-03");
const NOW = Date.UTC(2026, 0, 2);
const DAY = 86_400_000;

const ringOf = (...signers: Signer[]) =>
  Object.fromEntries(signers.map(({ keyId, publicKey }) => [keyId, publicKey]));

/** A client that remembers what it verified. */
function createClient(...pinned: Signer[]) {
  const client = {
    keys: ringOf(...pinned),
    memory: NO_MANIFEST_MEMORY,
    now: NOW,
    async receive(signer: Signer, changes: Partial<ManifestPayload>): Promise<NextManifestResult> {
      const envelope = JSON.stringify(signer.seal(createPayload(changes)));
      const { keys, memory, now } = client;
      const result = await verifyNextManifest(envelope, { keys, memory, now, product: "habits" });
      // What is stored between two runs of an app is its JSON.
      if (result.kind === "verified") {
        client.memory = JSON.parse(JSON.stringify(result.memory)) as ManifestMemory;
      }
      return result;
    },
    async kindOf(signer: Signer, changes: Partial<ManifestPayload>): Promise<string> {
      return (await client.receive(signer, changes)).kind;
    },
  };
  return client;
}

test("the sequence never goes back, whichever pinned key signs", async () => {
  const client = createClient(active, standby);
  assert.equal(await client.kindOf(active, { sequence: 7 }), "verified");
  assert.equal(await client.kindOf(standby, { sequence: 6 }), "rollback");
  assert.equal(await client.kindOf(standby, { sequence: 8 }), "verified");
  assert.deepEqual(await client.receive(active, { sequence: 7 }), {
    kind: "rollback",
    sequence: 7,
    highestSequence: 8,
  });
});

test("the same sequence with other bytes is refused, with the same bytes it is not", async () => {
  const client = createClient(active, standby);
  await client.receive(active, { sequence: 7 });
  assert.equal(await client.kindOf(active, { sequence: 7 }), "verified");
  const other = { sequence: 7, withdrawn: [{ version: "1.1.0", buildNumber: 11, reason: "x" }] };
  assert.deepEqual(await client.receive(active, other), {
    kind: "conflicting-manifest",
    sequence: 7,
  });
  assert.equal(await client.kindOf(standby, other), "conflicting-manifest");
  assert.equal(await client.kindOf(standby, { sequence: 7 }), "verified");
});

test("a sequence grows by at most a million, from any first one", async () => {
  const client = createClient(active);
  assert.equal(await client.kindOf(active, { sequence: 5_000_000 }), "verified");
  assert.deepEqual(await client.receive(active, { sequence: 6_000_001 }), {
    kind: "sequence-jump",
    sequence: 6_000_001,
    highestSequence: 5_000_000,
  });
  assert.equal(await client.kindOf(active, { sequence: 6_000_000 }), "verified");
});

test("a lifetime is at most 400 days", async () => {
  const issuedAt = new Date(NOW).toISOString();
  const until = (ms: number) => ({ issuedAt, expiresAt: new Date(NOW + ms).toISOString() });
  const client = createClient(active);
  assert.equal(await client.kindOf(active, until(400 * DAY + 1)), "lifetime-too-long");
  assert.equal(await client.kindOf(active, until(400 * DAY)), "verified");
});

test("the floor falls to the pinned keys when the key that set it is no longer pinned", async () => {
  const client = createClient(active, standby);
  await client.receive(standby, { sequence: 40 });
  await client.receive(active, { sequence: 1_000_040 });
  assert.equal(await client.kindOf(standby, { sequence: 41 }), "rollback");
  client.keys = ringOf(standby, spare);
  assert.equal(await client.kindOf(standby, { sequence: 39 }), "rollback");
  assert.equal(await client.kindOf(spare, { sequence: 41 }), "verified");
});

test("another key under an id that was pinned before is another key", async () => {
  const client = createClient(active, standby);
  await client.receive(active, { sequence: 1_000_000 });
  await client.receive(standby, { sequence: 1_000_001, revokedKeys: [active.keyId] });
  const renewed = createSigner(active.keyId);
  client.keys = ringOf(renewed, standby);
  assert.equal(await client.kindOf(renewed, { sequence: 1_000_002 }), "verified");
});

test("a revocation ends the key, its sequence and its clock", async () => {
  const client = createClient(active, standby);
  await client.receive(active, { sequence: 10 });
  const thief = {
    sequence: 1_000_010,
    issuedAt: "2099-01-01T00:00:00Z",
    expiresAt: "2099-12-31T00:00:00Z",
  };
  assert.equal(await client.kindOf(active, thief), "verified");
  assert.equal(await client.kindOf(standby, { sequence: 11 }), "rollback");
  const revocation = { sequence: 11, revokedKeys: [active.keyId] };
  const result = await client.receive(standby, revocation);
  assert.equal(result.kind, "verified");
  assert.equal(result.kind === "verified" && result.now, NOW);
  assert.deepEqual(await client.receive(active, { sequence: 1_000_011 }), {
    kind: "revoked-key",
    keyId: active.keyId,
  });
  // It is remembered: a later manifest does not have to name the key again.
  assert.equal(await client.kindOf(standby, { sequence: 12 }), "verified");
  assert.equal(await client.kindOf(active, { sequence: 13 }), "revoked-key");
});

test("a manifest that is refused revokes nothing", async () => {
  const client = createClient(active, standby);
  await client.receive(standby, { sequence: 10 });
  const revokedKeys = [active.keyId];
  assert.equal(await client.kindOf(standby, { sequence: 9, revokedKeys }), "rollback");
  assert.equal(await client.kindOf(active, { sequence: 11 }), "verified");
});

test("a key revokes neither itself nor a key that is not pinned", async () => {
  const client = createClient(active, standby);
  const revokedKeys = [active.keyId, spare.keyId, "__proto__", "constructor"];
  assert.equal(await client.kindOf(active, { sequence: 1, revokedKeys }), "verified");
  assert.deepEqual(client.memory.revokedBy, {});
  assert.equal(await client.kindOf(active, { sequence: 2 }), "verified");
  assert.equal(await client.kindOf(standby, { sequence: 3 }), "verified");
});

test("a revoked key cannot revoke the key that revoked it", async () => {
  const client = createClient(active, standby);
  await client.receive(standby, { sequence: 1, revokedKeys: [active.keyId] });
  const revenge = { sequence: 2, revokedKeys: [standby.keyId] };
  assert.equal(await client.kindOf(active, revenge), "revoked-key");
  assert.equal(await client.kindOf(standby, { sequence: 2 }), "verified");
});

test("what a stolen key revoked is trusted again when that key is revoked", async () => {
  const client = createClient(active, standby, spare);
  await client.receive(active, { sequence: 1, revokedKeys: [spare.keyId] });
  assert.equal(await client.kindOf(spare, { sequence: 2 }), "revoked-key");
  await client.receive(standby, { sequence: 2, revokedKeys: [active.keyId] });
  assert.equal(await client.kindOf(spare, { sequence: 3 }), "verified");
});

test("what a stolen key revoked is trusted again when the app no longer pins that key", async () => {
  const client = createClient(active, standby);
  await client.receive(active, { sequence: 1, revokedKeys: [standby.keyId] });
  assert.equal(await client.kindOf(standby, { sequence: 2 }), "revoked-key");
  client.keys = ringOf(standby, spare);
  assert.equal(await client.kindOf(standby, { sequence: 2 }), "verified");
});

test("the clock is never before the latest manifest that was issued", async () => {
  const client = createClient(active, standby);
  const issuedAt = "2026-01-20T00:00:00Z";
  await client.receive(active, { sequence: 1, issuedAt });
  const expired = { sequence: 2, expiresAt: "2026-01-19T00:00:00Z" };
  assert.deepEqual(await client.receive(active, expired), {
    kind: "expired",
    expiresAt: expired.expiresAt,
  });
  const next = await client.receive(active, { sequence: 2 });
  assert.equal(next.kind === "verified" && next.now, Date.parse(issuedAt));
});

test("whatever a thief with one key sends, a revocation by the other is accepted", async () => {
  const day = (n: number) => new Date(NOW + n * DAY).toISOString();
  const attack = fc.record({
    sequence: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    issuedAt: fc.integer({ min: -5000, max: 50_000 }).map(day),
    lifetime: fc.integer({ min: 1, max: 400 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(attack, { maxLength: 4 }), fc.boolean(), async (attacks, known) => {
      const client = createClient(active, standby);
      if (known) await client.receive(standby, { sequence: 5 });
      for (const { sequence, issuedAt, lifetime } of attacks) {
        const expiresAt = new Date(Date.parse(issuedAt) + lifetime * DAY).toISOString();
        await client.receive(active, { sequence, issuedAt, expiresAt });
      }
      const rescue = { sequence: 6, revokedKeys: [active.keyId] };
      assert.equal(await client.kindOf(standby, rescue), "verified");
    }),
    { numRuns: 40 },
  );
});
