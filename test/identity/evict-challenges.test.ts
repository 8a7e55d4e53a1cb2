import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { clientNetworks } from "../../src/identity/client-network.ts";
import type { ChallengeBounds, NewChallenge } from "../../src/identity/identity-records.ts";
import { createInstanceKey } from "../../src/identity/instance-key.ts";
import type { SignInClient } from "../../src/identity/known-browsers.ts";
import { createSqlIdentityRecords } from "../../src/identity/sql-identity-records.ts";
import { createThrottle } from "../../src/identity/throttle.ts";
import { createPlace, STORE_KINDS } from "./on-both-stores.ts";

const BOUNDS: ChallengeBounds = { maxLive: 12, maxKnown: 5 };
const { hashClient } = createThrottle("sync", createInstanceKey(randomBytes(32)));

/** Below two wide IPv6 networks and two wide IPv4 networks. */
const floodAddress = fc.oneof(
  fc
    .tuple(fc.constantFrom("2001:db8", "2a00:1"), fc.nat({ max: 9 }), fc.nat({ max: 99 }))
    .map(([provider, site, network]) => `${provider}:${site}:${network}::1`),
  fc
    .tuple(fc.constantFrom("198.51", "203.0"), fc.nat({ max: 3 }), fc.nat({ max: 255 }))
    .map(([provider, site, host]) => `${provider}.${site}.${host}`),
);

/** Each known browser begins once. */
const known = fc.constantFrom("phone", "laptop", "tablet", "desktop");

const begins = fc.array(fc.oneof({ weight: 9, arbitrary: floodAddress }, known), {
  minLength: 15,
  maxLength: 40,
});

function toClient(origin: string): SignInClient {
  return /[:.]/.test(origin)
    ? { kind: "unknown", networks: clientNetworks(origin) }
    : { kind: "known-browser", hash: origin, accountId: `account of ${origin}`, hasSignedIn: true };
}

function toChallenge(challengeId: string, origin: string): NewChallenge {
  const client = hashClient(toClient(origin));
  const proof = { username: "anna", attempt: "{}", salt: "", iterations: 1, serverNonce: "" };
  return { challengeId, client, ...proof, createdAt: 0, expiresAt: 1 };
}

for (const kind of STORE_KINDS) {
  test(`whatever the order of begins, the challenges of known browsers and of a quiet network survive (${kind})`, async (t) => {
    const database = await (await createPlace(t, kind)).open();
    await fc.assert(
      fc.asyncProperty(begins, async (origins) => {
        await database.transaction(async (tx) => {
          await tx.query("DELETE FROM identity_challenges");
          const records = createSqlIdentityRecords(tx, "sync");
          const survivors = new Set(["quiet"]);
          await records.addChallenge(toChallenge("quiet", "192.0.2.1"), BOUNDS);
          for (const [index, origin] of origins.entries()) {
            const isKnown = toClient(origin).kind === "known-browser";
            if (isKnown && survivors.has(origin)) continue;
            const id = isKnown ? origin : `flood-${index}`;
            if (isKnown) survivors.add(id);
            await records.addChallenge(toChallenge(id, origin), BOUNDS);
            const rows = await tx.query<{ challenge_id: string; is_known: number }>(
              "SELECT challenge_id, is_known FROM identity_challenges",
            );
            const live = new Set(rows.map((row) => row.challenge_id));
            assert.ok(rows.length <= BOUNDS.maxLive);
            assert.ok(rows.filter((row) => row.is_known === 1).length <= BOUNDS.maxKnown);
            for (const survivor of survivors) assert.ok(live.has(survivor), survivor);
            assert.ok(live.has(id), "the challenge that was just added");
          }
        });
      }),
      { numRuns: kind === "SQLite" ? 30 : 8 },
    );
  });

  test(`a flooding known browser evicts only its own challenges (${kind})`, async (t) => {
    const database = await (await createPlace(t, kind)).open();
    await database.transaction(async (tx) => {
      const records = createSqlIdentityRecords(tx, "sync");
      await records.addChallenge(toChallenge("owner", "phone"), BOUNDS);
      await records.addChallenge(toChallenge("quiet", "192.0.2.1"), BOUNDS);
      for (let index = 0; index < 20; index++) {
        await records.addChallenge(toChallenge(`thief-${index}`, "stolen"), BOUNDS);
      }
      const rows = await tx.query<{ challenge_id: string }>(
        "SELECT challenge_id FROM identity_challenges ORDER BY made",
      );
      assert.deepEqual(
        rows.map((row) => row.challenge_id),
        ["owner", "quiet", "thief-16", "thief-17", "thief-18", "thief-19"],
      );
    });
  });
}
