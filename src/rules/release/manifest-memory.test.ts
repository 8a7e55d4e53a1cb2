import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createSigner, type Signer } from "../../../conformance/release/driver/signer.ts";
import { createPayload } from "../../../test/fixtures/signed-envelope.ts";
import type { ManifestPayload } from "../../contract/release/schemas.ts";
import { judgeKeys } from "./key-trust.ts";
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
      client.memory = JSON.parse(JSON.stringify(result.memory)) as ManifestMemory;
      return result;
    },
    async kindOf(signer: Signer, changes: Partial<ManifestPayload>): Promise<string> {
      return (await client.errorOf(signer, changes))?.kind ?? "verified";
    },
    async errorOf(signer: Signer, changes: Partial<ManifestPayload>) {
      const result = await client.receive(signer, changes);
      return result.kind === "refused" ? result.error : null;
    },
  };
  return client;
}

test("the sequence never goes back, whichever pinned key signs", async () => {
  const client = createClient(active, standby);
  assert.equal(await client.kindOf(active, { sequence: 7 }), "verified");
  assert.equal(await client.kindOf(standby, { sequence: 6 }), "rollback");
  assert.equal(await client.kindOf(standby, { sequence: 8 }), "verified");
  assert.deepEqual(await client.errorOf(active, { sequence: 7 }), {
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
  assert.deepEqual(await client.errorOf(active, other), {
    kind: "conflicting-manifest",
    sequence: 7,
  });
  assert.equal(await client.kindOf(standby, other), "conflicting-manifest");
  assert.equal(await client.kindOf(standby, { sequence: 7 }), "verified");
});

test("a sequence grows by at most a million, from any first one", async () => {
  const client = createClient(active);
  assert.equal(await client.kindOf(active, { sequence: 5_000_000 }), "verified");
  assert.deepEqual(await client.errorOf(active, { sequence: 6_000_001 }), {
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
  assert.deepEqual(await client.errorOf(active, { sequence: 1_000_011 }), {
    kind: "revoked-key",
    keyId: active.keyId,
  });
  // The revocation is remembered: a later manifest does not have to name the key again.
  assert.equal(await client.kindOf(standby, { sequence: 12 }), "verified");
  assert.equal(await client.kindOf(active, { sequence: 13 }), "revoked-key");
});

test("a revocation counts however old its manifest is", async () => {
  const client = createClient(active, standby);
  await client.receive(standby, { sequence: 10 });
  const revokedKeys = [active.keyId];
  assert.equal(await client.kindOf(standby, { sequence: 9, revokedKeys }), "rollback");
  assert.equal(await client.kindOf(active, { sequence: 11 }), "revoked-key");
  assert.equal(await client.kindOf(standby, { sequence: 11 }), "verified");
});

test("a key revokes neither itself nor a key that is not pinned", async () => {
  const client = createClient(active, standby);
  const revokedKeys = [active.keyId, spare.keyId, "__proto__", "constructor"];
  assert.equal(await client.kindOf(active, { sequence: 1, revokedKeys }), "verified");
  assert.deepEqual(client.memory.revocations, {});
  assert.equal(await client.kindOf(active, { sequence: 2 }), "verified");
  assert.equal(await client.kindOf(standby, { sequence: 3 }), "verified");
});

test("when two keys revoke each other, neither is trusted, whichever was first", async () => {
  for (const [first, second] of [
    [active, standby],
    [standby, active],
  ] as const) {
    const client = createClient(active, standby);
    await client.receive(first, { sequence: 1 });
    const opening = { sequence: 2, revokedKeys: [second.keyId] };
    assert.equal(await client.kindOf(first, opening), "verified");
    const reply = { sequence: 2, revokedKeys: [first.keyId] };
    const contestedKeys = [active.keyId, standby.keyId];
    for (const signer of [second, first]) {
      assert.deepEqual(await client.errorOf(signer, signer === second ? reply : { sequence: 3 }), {
        kind: "conflicting-revocations",
        keyId: signer.keyId,
        contestedKeys,
      });
    }
  }
});

test("a conflict stays, also when the manifests before it are replayed", async () => {
  const client = createClient(active, standby);
  const earlier: [Signer, Partial<ManifestPayload>][] = [
    [active, { sequence: 1 }],
    [active, { sequence: 2, revokedKeys: [standby.keyId] }],
    [standby, { sequence: 2, revokedKeys: [active.keyId] }],
    [standby, { sequence: 1 }],
  ];
  for (const [signer, changes] of earlier) await client.receive(signer, changes);
  for (const [signer, changes] of earlier) {
    assert.equal(await client.kindOf(signer, changes), "conflicting-revocations");
  }
});

test("the revocation of a key that was revoked first counts, however old and expired it is", async () => {
  const client = createClient(active, standby);
  const thief = { sequence: 900_000, issuedAt: "2099-01-01T00:00:00Z" };
  const until = "2099-12-31T00:00:00Z";
  const revokedKeys = [standby.keyId];
  await client.receive(active, { ...thief, expiresAt: until, revokedKeys });
  const maker = { sequence: 1, expiresAt: "2026-01-01T00:00:01Z", revokedKeys: [active.keyId] };
  assert.equal(await client.kindOf(standby, maker), "conflicting-revocations");
  const next = { ...thief, sequence: 900_001, expiresAt: until };
  assert.equal(await client.kindOf(active, next), "conflicting-revocations");
});

test("a third key that neither revoked settles a conflict, and the floor is that of the key it keeps", async () => {
  const client = createClient(active, standby, spare);
  await client.receive(standby, { sequence: 5 });
  await client.receive(active, { sequence: 1_000_000, revokedKeys: [standby.keyId] });
  const revokedKeys = [active.keyId];
  assert.equal(
    await client.kindOf(standby, { sequence: 6, revokedKeys }),
    "conflicting-revocations",
  );
  // The spare key is trusted throughout, but says nothing about the two yet.
  assert.equal(await client.kindOf(spare, { sequence: 4 }), "verified");
  assert.equal(await client.kindOf(standby, { sequence: 7 }), "conflicting-revocations");
  assert.equal(await client.kindOf(spare, { sequence: 6, revokedKeys }), "verified");
  assert.equal(await client.kindOf(active, { sequence: 1_000_001 }), "revoked-key");
  assert.equal(await client.kindOf(standby, { sequence: 5 }), "rollback");
  assert.equal(await client.kindOf(standby, { sequence: 7 }), "verified");
});

test("a thief who revokes every other key stops a client that hears of it, and cannot go on", async () => {
  const client = createClient(active, standby, spare);
  const all = [active.keyId, standby.keyId, spare.keyId];
  await client.receive(active, { sequence: 1, revokedKeys: all });
  assert.equal(await client.kindOf(active, { sequence: 2 }), "verified");
  const revokedKeys = [active.keyId];
  assert.equal(
    await client.kindOf(standby, { sequence: 2, revokedKeys }),
    "conflicting-revocations",
  );
  assert.equal(await client.kindOf(active, { sequence: 3 }), "conflicting-revocations");
  // The spare key is contested as well: the key that revoked it may be the honest one.
  assert.equal(await client.kindOf(spare, { sequence: 3 }), "conflicting-revocations");
});

test("keys that revoke each other in a circle are all contested", async () => {
  const client = createClient(active, standby, spare);
  await client.receive(active, { sequence: 1, revokedKeys: [standby.keyId] });
  await client.receive(standby, { sequence: 1, revokedKeys: [spare.keyId] });
  await client.receive(spare, { sequence: 1, revokedKeys: [active.keyId] });
  for (const signer of [active, standby, spare]) {
    assert.equal(await client.kindOf(signer, { sequence: 2 }), "conflicting-revocations");
  }
});

test("an app that no longer pins the stolen key ends the conflict", async () => {
  const client = createClient(active, standby);
  await client.receive(standby, { sequence: 5 });
  await client.receive(active, { sequence: 6, revokedKeys: [standby.keyId] });
  await client.receive(standby, { sequence: 6, revokedKeys: [active.keyId] });
  client.keys = ringOf(standby, spare);
  assert.equal(await client.kindOf(standby, { sequence: 4 }), "rollback");
  assert.equal(await client.kindOf(standby, { sequence: 7 }), "verified");
  // An app that pins the key again, as an earlier version does, has not forgotten the revocation.
  client.keys = ringOf(active, standby);
  assert.equal(await client.kindOf(active, { sequence: 8 }), "conflicting-revocations");
});

test("an honest rotation and the revocation of its predecessor leave no conflict", async () => {
  const client = createClient(active, standby, spare);
  await client.receive(active, { sequence: 1 });
  assert.equal(await client.kindOf(standby, { sequence: 2 }), "verified");
  const revokedKeys = [active.keyId];
  assert.equal(await client.kindOf(standby, { sequence: 3, revokedKeys }), "verified");
  assert.equal(await client.kindOf(spare, { sequence: 4, revokedKeys }), "verified");
  const both = { sequence: 5, revokedKeys: [active.keyId, standby.keyId] };
  assert.equal(await client.kindOf(spare, both), "verified");
  assert.equal(await client.kindOf(standby, { sequence: 6 }), "revoked-key");
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
  assert.deepEqual(await client.errorOf(active, expired), {
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

const anyManifest = fc.record({
  from: fc.nat(2),
  revoked: fc.subarray([0, 1, 2]),
  sequence: fc.integer({ min: 1, max: 2_000_002 }),
  isExpired: fc.boolean(),
});

type AnyManifest = typeof anyManifest extends fc.Arbitrary<infer T> ? T : never;

const ALL = [active, standby, spare];

function receiveAny(
  client: ReturnType<typeof createClient>,
  { from, revoked, sequence, isExpired }: AnyManifest,
): Promise<NextManifestResult> {
  const signer = ALL[from] ?? active;
  return client.receive(signer, {
    sequence,
    revokedKeys: revoked.map((index) => ALL[index]?.keyId ?? ""),
    ...(isExpired && { expiresAt: "2026-01-01T00:00:01Z" }),
  });
}

test("whatever the order, once two keys revoked each other nothing signed by the two alone is accepted", async () => {
  const onlyTwo = anyManifest.map(({ from, ...manifest }) => ({ ...manifest, from: from % 2 }));
  await fc.assert(
    fc.asyncProperty(fc.array(onlyTwo, { maxLength: 12 }), fc.boolean(), async (sent, hasThird) => {
      const client = createClient(...(hasThird ? ALL : [active, standby]));
      const said = [false, false];
      for (const manifest of sent) {
        const { from, revoked } = manifest;
        if (revoked.includes(1 - from)) said[from] = true;
        const { kind } = await receiveAny(client, manifest);
        if (said[0] && said[1]) assert.equal(kind, "refused");
      }
    }),
    { numRuns: 60 },
  );
});

test("which keys are trusted depends on what was revoked, not on the order", async () => {
  const shuffled = fc
    .array(anyManifest, { maxLength: 6 })
    .chain((sent) =>
      fc.tuple(
        fc.constant(sent),
        fc.shuffledSubarray(sent, { minLength: sent.length, maxLength: sent.length }),
      ),
    );
  const standingsAfter = async (sent: readonly AnyManifest[]) => {
    const client = createClient(...ALL);
    for (const manifest of sent) await receiveAny(client, manifest);
    return judgeKeys(Object.values(client.keys), client.memory.revocations);
  };
  await fc.assert(
    fc.asyncProperty(shuffled, async ([sent, reordered]) => {
      assert.deepEqual(await standingsAfter(sent), await standingsAfter(reordered));
    }),
    { numRuns: 40 },
  );
});

test("whatever a thief with one key sends, it installs nothing after the maker's revocation arrived", async () => {
  const sent = fc.array(anyManifest, { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(sent, sent, fc.nat(1), async (before, after, by) => {
      const client = createClient(...ALL);
      const steal = (manifest: AnyManifest) => receiveAny(client, { ...manifest, from: 2 });
      for (const manifest of before) await steal(manifest);
      const rescuer = ALL[by] ?? active;
      await client.receive(rescuer, { sequence: 1, revokedKeys: [spare.keyId] });
      for (const manifest of after) assert.equal((await steal(manifest)).kind, "refused");
    }),
    { numRuns: 40 },
  );
});
