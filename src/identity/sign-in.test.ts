import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { countCalls } from "../../test/fixtures/count-calls.ts";
import { deriveKey } from "../../test/fixtures/password-keys.ts";
import { testOnBothStores, type IdentityPlace } from "../../test/identity/on-both-stores.ts";
import {
  CHALLENGE_LIFETIME_SECONDS,
  MAX_KNOWN_CHALLENGES,
  MAX_LIVE_CHALLENGES,
} from "../contract/identity.ts";
import type { Database, Queryable } from "../database/database.ts";
import { provePassword } from "../rules/identity/prove-password.ts";
import { createAccounts } from "./accounts.ts";
import { clientNetworks } from "./client-network.ts";
import { createInstanceKey } from "./instance-key.ts";
import type { SignInClient } from "./known-browsers.ts";
import { noteRefused } from "./sign-in-history.ts";
import { createSignIn, type CompleteRequest } from "./sign-in.ts";
import { createSqlIdentityRecords, pruneSqlIdentity } from "./sql-identity-records.ts";
import { createThrottle } from "./throttle.ts";

const NOW = Date.UTC(2026, 7, 21);
const BOUNDS = { maxLive: MAX_LIVE_CHALLENGES, maxKnown: MAX_KNOWN_CHALLENGES };
const CHALLENGE_LIFETIME_MS = CHALLENGE_LIFETIME_SECONDS * 1000;
const PASSWORD = "correct horse battery";
const PURPOSE = "trellis-sync-login";
const HOME = "192.0.2.1";
const instanceKey = createInstanceKey(randomBytes(32));
// The iterations are as few as the client accepts, because the tests are about the protocol.
const ITERATIONS = 100_000;
const attempt = { state: "0123456789abcdef", redirectUri: "http://localhost/callback" };

function createRealm(realm: string) {
  const accounts = createAccounts({ realm, instanceKey, iterations: ITERATIONS });
  const throttle = createThrottle(realm, instanceKey);
  return { accounts, signIn: createSignIn({ purpose: PURPOSE, accounts, throttle }) };
}

const { accounts, signIn } = createRealm("sync");
// The verifier is derived once for all tests: a derivation takes longer than most of them.
const deriving = accounts.deriveVerifier(PASSWORD);
const inSync = (store: Queryable) => createSqlIdentityRecords(store, "sync");
const inEvents = (store: Queryable) => createSqlIdentityRecords(store, "events");

async function openWithAccount(open: IdentityPlace["open"]): Promise<Database> {
  const store = await open();
  const derived = await deriving;
  assert.ok(derived.kind === "derived");
  await accounts.create(inSync(store), "anna", derived.verifier, NOW);
  return store;
}

function toUnknownClient(address: string): SignInClient {
  return { kind: "unknown", networks: clientNetworks(address) };
}

async function begin(store: Database, { username = "anna", now = NOW, address = HOME } = {}) {
  const client = toUnknownClient(address);
  return store.transaction((tx) => signIn.begin(inSync(tx), { username, attempt, client }, now));
}

async function challenge(store: Database, options: Parameters<typeof begin>[1] = {}) {
  const result = await begin(store, options);
  assert.ok(result.kind === "challenged", result.kind);
  return result.challenge;
}

/** What an honest client sends; a test can then change it. */
async function prove(
  issued: Awaited<ReturnType<typeof challenge>>,
  { username = "anna", password = PASSWORD, purpose = PURPOSE } = {},
) {
  const login = { purpose, username, password, attempt, challenge: issued };
  const proved = await provePassword(login, deriveKey);
  assert.ok(proved.kind === "proved");
  const { clientNonce, proof, expectedServerSignature } = proved;
  const claimed = { state: attempt.state };
  const { challengeId } = issued;
  const request: CompleteRequest = {
    challengeId,
    clientNonce,
    proof,
    claimed,
    address: HOME,
    knownBrowser: null,
  };
  return { request, expectedServerSignature };
}

async function complete(store: Database, request: CompleteRequest, now = NOW) {
  const result = await store.transaction((tx) => signIn.complete(inSync(tx), request, now));
  if (result.kind !== "failed") return result;
  const { accountId: _account, ...failure } = result;
  return failure;
}

/** A guess costs no derivation: any 32 bytes are a wrong proof. */
async function guess(
  store: Database,
  options: { now: number; username?: string; address?: string },
) {
  const { now, address = HOME } = options;
  const begun = await begin(store, options);
  if (begun.kind === "throttled") return begun;
  const { challengeId } = begun.challenge;
  const proof = "A".repeat(43);
  const claimed = { state: attempt.state };
  const request = { challengeId, clientNonce: proof, proof, claimed, address, knownBrowser: null };
  return complete(store, request, now);
}

const WRONG = { kind: "failed", reason: "wrong-proof" };

testOnBothStores("the right password is proved, and the server proves itself", async ({ open }) => {
  const store = await openWithAccount(open);
  const issued = await challenge(store);
  assert.equal(issued.expiresAt, NOW + CHALLENGE_LIFETIME_MS);
  const { request, expectedServerSignature } = await prove(issued);
  const [account] = await accounts.list(inSync(store));
  assert.deepEqual(await complete(store, request), {
    kind: "proved",
    accountId: account!.accountId,
    username: "anna",
    attempt,
    serverSignature: expectedServerSignature,
    isKnownBrowser: false,
  });
});

testOnBothStores("a challenge outlives a restart, but not its five minutes", async ({ open }) => {
  const store = await openWithAccount(open);
  const first = await prove(await challenge(store));
  const second = await prove(await challenge(store));
  const restarted = await open();
  const end = NOW + CHALLENGE_LIFETIME_MS;
  assert.equal((await complete(restarted, first.request, end - 1)).kind, "proved");
  assert.deepEqual(await complete(restarted, second.request, end), {
    kind: "failed",
    reason: "expired",
  });
});

testOnBothStores("any wrong member fails, and consumes the challenge", async ({ open }) => {
  const store = await openWithAccount(open);
  const spoil = async (change: Partial<CompleteRequest>, reason: string) => {
    const { request } = await prove(await challenge(store));
    assert.deepEqual(await complete(store, { ...request, ...change }), { kind: "failed", reason });
    assert.deepEqual(await complete(store, request), {
      kind: "failed",
      reason: "unknown-challenge",
    });
    await store.query("DELETE FROM identity_failures");
  };
  await spoil({ proof: "A".repeat(43) }, "wrong-proof");
  await spoil({ proof: "" }, "wrong-proof");
  await spoil({ proof: "\u0000 not base64" }, "wrong-proof");
  await spoil({ proof: "A".repeat(5000) }, "wrong-proof");
  await spoil({ clientNonce: "A".repeat(43) }, "wrong-proof");
  await spoil({ clientNonce: "" }, "wrong-proof");
  await spoil({ claimed: { state: "another-state-123" } }, "other-attempt");
  await spoil({ claimed: { constructor: "x" } }, "other-attempt");
});

testOnBothStores(
  "a proof for another message than that of the challenge fails",
  async ({ open }) => {
    const store = await openWithAccount(open);
    for (const change of [
      { password: "correct horse batterY" },
      { username: "Anna" },
      { purpose: "trellis-events-login" },
    ]) {
      const { request } = await prove(await challenge(store), change);
      assert.deepEqual(await complete(store, request), WRONG);
    }
    const issued = await challenge(store);
    const { request } = await prove({ ...issued, serverNonce: "other" });
    assert.deepEqual(await complete(store, request), WRONG);
  },
);

testOnBothStores("ids that no challenge has are unknown to every store", async ({ open }) => {
  const store = await openWithAccount(open);
  const { request } = await prove(await challenge(store));
  for (const challengeId of ["", "\u0000", "\ud800", "A".repeat(43), "x".repeat(100_000)]) {
    assert.deepEqual(await complete(store, { ...request, challengeId }), {
      kind: "failed",
      reason: "unknown-challenge",
    });
  }
  assert.equal((await complete(store, request)).kind, "proved");
});

testOnBothStores("a challenge of one realm is none of another", async ({ open }) => {
  const store = await openWithAccount(open);
  const { request } = await prove(await challenge(store));
  const { signIn: events } = createRealm("events");
  const elsewhere = await store.transaction((tx) => events.complete(inEvents(tx), request, NOW));
  assert.equal(elsewhere.kind, "failed");
  assert.equal((await complete(store, request)).kind, "proved");
});

testOnBothStores("of 20 parallel proofs for one challenge exactly one counts", async ({ open }) => {
  const store = await openWithAccount(open);
  const stores = [store, await open()];
  const { request } = await prove(await challenge(store));
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) => complete(stores[index % 2]!, request)),
  );
  assert.equal(results.filter(({ kind }) => kind === "proved").length, 1);
  const [row] = await store.query<{ failures: number }>("SELECT * FROM identity_failures");
  assert.equal(row, undefined, "proofs that tested no password are not counted as failures");
});

testOnBothStores("at most 1,000 challenges live, and the first made go first", async ({ open }) => {
  const store = await openWithAccount(open);
  const { signIn: events } = createRealm("events");
  const other = await store.transaction((tx) =>
    events.begin(
      inEvents(tx),
      { username: "anna", attempt, client: toUnknownClient(HOME) },
      NOW - 1,
    ),
  );
  assert.equal(other.kind, "challenged");
  await fillChallenges(
    store,
    clientsOf(MAX_LIVE_CHALLENGES, () => HOME),
  );
  const issued = [];
  // The clock is set back while sign-ins begin.
  for (const now of [NOW, NOW - 3_600_000, NOW - 7_200_000]) {
    issued.push(await challenge(store, { now }));
  }
  const live = await readChallenges(store);
  assert.equal(live.size, MAX_LIVE_CHALLENGES);
  for (const { challengeId } of issued) assert.ok(live.has(challengeId));
  for (let index = 0; index < 5; index++) assert.equal(live.has(`filled-${index}`), index >= 3);
  const rows = await store.query("SELECT 1 FROM identity_challenges WHERE realm = 'events'");
  assert.equal(rows.length, 1);
});

testOnBothStores("a flood from one network evicts only its own challenges", async ({ open }) => {
  const store = await openWithAccount(open);
  const honest = await prove(await challenge(store, { address: "198.51.100.1" }));
  await fillChallenges(
    store,
    clientsOf(MAX_LIVE_CHALLENGES - 1, () => HOME),
  );
  for (let count = 0; count < 5; count++) await challenge(store, { address: HOME });
  const live = await readChallenges(store);
  assert.equal(live.size, MAX_LIVE_CHALLENGES);
  assert.equal((await complete(store, honest.request)).kind, "proved");
});

testOnBothStores(
  "a flood from many networks of one site evicts no other challenge",
  async ({ open }) => {
    const store = await openWithAccount(open);
    const honest = await prove(await challenge(store, { address: "198.51.100.1" }));
    const client: SignInClient = {
      kind: "known-browser",
      hash: "phone",
      accountId: "of-anna",
      hasSignedIn: true,
    };
    const known = await store.transaction((tx) =>
      signIn.begin(inSync(tx), { username: "anna", attempt, client }, NOW),
    );
    assert.ok(known.kind === "challenged");
    // Every one is the only one of its /64, and from many sites of one provider at the end.
    const flood = clientsOf(MAX_LIVE_CHALLENGES + 5, (index) => {
      const site = index < MAX_LIVE_CHALLENGES ? 7 : index;
      return `2001:db8:${site}:${index.toString(16)}::1`;
    });
    const room = MAX_LIVE_CHALLENGES - 2;
    await fillChallenges(store, flood.slice(0, room));
    for (const client of flood.slice(room)) {
      await store.transaction((tx) =>
        signIn.begin(inSync(tx), { username: "made-up", attempt, client }, NOW),
      );
    }
    const live = await readChallenges(store);
    assert.equal(live.size, MAX_LIVE_CHALLENGES);
    assert.ok(live.has(known.challenge.challengeId));
    assert.equal((await complete(store, honest.request)).kind, "proved");
  },
);

/**
 * Adds a challenge of each client, in their order. Only the first is begun: the others are its copies, in one
 * statement, as they would be while there is room.
 */
async function fillChallenges(store: Database, clients: readonly SignInClient[]): Promise<void> {
  const { hashClient } = createThrottle("sync", instanceKey);
  const [first, ...copied] = clients.map(hashClient);
  assert.ok(first);
  const proof = { username: "anna", attempt: "{}", salt: "", iterations: 1, serverNonce: "" };
  const times = { createdAt: NOW, expiresAt: NOW + CHALLENGE_LIFETIME_MS };
  const challenge = { challengeId: "filled-0", client: first, ...proof, ...times };
  await store.transaction(async (tx) => {
    await inSync(tx).addChallenge(challenge, BOUNDS);
    await tx.queryRows(
      `INSERT INTO identity_challenges (instance, realm, is_known, wide_hash, middle_hash, client_hash,
         challenge_id, username, attempt, salt, iterations, server_nonce, created_at, expires_at, made)
       SELECT instance, realm, is_known, r.wide, r.middle, r.client,
         'filled-' || r.number, username, attempt, salt, iterations, server_nonce, created_at, expires_at, made + r.number
       FROM identity_challenges, {rows} AS r WHERE challenge_id = 'filled-0'`,
      {
        columns: { number: "integer", wide: "text", middle: "text", client: "text" },
        rows: copied.map(({ groups }, index) => [index + 1, ...groups]),
      },
    );
  });
}

function clientsOf(count: number, toAddress: (index: number) => string): SignInClient[] {
  return Array.from({ length: count }, (_, index) => toUnknownClient(toAddress(index)));
}

async function readChallenges(store: Database): Promise<Set<string>> {
  const rows = await store.query<{ challenge_id: string }>(
    "SELECT challenge_id FROM identity_challenges WHERE realm = 'sync'",
  );
  return new Set(rows.map((row) => row.challenge_id));
}

testOnBothStores("an unknown name takes every step that a known one takes", async ({ open }) => {
  const store = await openWithAccount(open);
  const traces: unknown[] = [];
  for (const username of ["anna", "nora"]) {
    const statements: string[] = [];
    const complete = () =>
      store.transaction(async (tx) => {
        const watched = inSync(traceStatements(tx, statements));
        const begun = await signIn.begin(
          watched,
          { username, attempt, client: toUnknownClient(HOME) },
          NOW,
        );
        assert.ok(begun.kind === "challenged");
        const { challengeId, salt, iterations, serverNonce, expiresAt } = begun.challenge;
        statements.push(`${salt.length} ${iterations} ${serverNonce.length} ${expiresAt}`);
        const proof = "B".repeat(42) + "A";
        const claimed = { state: attempt.state };
        const request = {
          challengeId,
          clientNonce: proof,
          proof,
          claimed,
          address: HOME,
          knownBrowser: null,
        };
        const { kind, accountId = null } = (await signIn.complete(watched, request, NOW)) as {
          readonly kind: string;
          readonly accountId?: string | null;
        };
        assert.deepEqual([kind, accountId !== null], ["failed", username === "anna"]);
        const visit = { purpose: "page", method: "password", userAgent: null } as const;
        const tried = { accountId, hasOneAccount: false };
        await noteRefused(watched, { ...visit, address: HOME }, tried, NOW);
      });
    const calls = await countCalls(SIGN_IN_FILES, complete);
    assert.ok(calls["rules/web-crypto.ts hmacSha256"]);
    assert.ok(calls["rules/web-crypto.ts sha256"]);
    assert.ok(statements.length > 5);
    traces.push({ statements, calls });
    await store.query("DELETE FROM identity_failures");
  }
  assert.deepEqual(traces[0], traces[1]);
});

/** Everything but the store, which reads an account only for a name that has one. */
const SIGN_IN_FILES = [
  "identity/accounts.ts",
  "identity/seal.ts",
  "identity/sign-in.ts",
  "identity/throttle.ts",
  "rules/identity/auth-message.ts",
  "rules/identity/scram.ts",
  "rules/identity/throttle.ts",
  "rules/web-crypto.ts",
];

testOnBothStores(
  "after five failures everybody waits, whether the name exists or not",
  async ({ open }) => {
    const store = await openWithAccount(open);
    for (const username of ["anna", "nobody"]) {
      const kinds = [];
      for (let index = 0; index < 7; index++)
        kinds.push(await guess(store, { username, now: NOW }));
      const throttled = { kind: "throttled", retryAfterSeconds: 15 };
      const fifth = { ...WRONG, beginsThrottling: true };
      assert.deepEqual(kinds, [WRONG, WRONG, WRONG, WRONG, fifth, throttled, throttled]);
      await store.query("DELETE FROM identity_failures");
    }
  },
);

testOnBothStores(
  "waits double up to five minutes, and blocked tries do not count",
  async ({ open }) => {
    const store = await openWithAccount(open);
    const waits: number[] = [];
    let now = NOW;
    for (let failure = 1; failure <= 11; failure++) {
      assert.equal((await guess(store, { now })).kind, "failed");
      let blocked = await guess(store, { now });
      if (blocked.kind !== "throttled") continue;
      waits.push(blocked.retryAfterSeconds);
      blocked = await guess(store, { now: now + 1 });
      assert.equal(blocked.kind, "throttled");
      now += waits.at(-1)! * 1000;
    }
    // The probes before the fifth failure are failures too.
    assert.deepEqual(waits, [15, 30, 60, 120, 240, 300, 300, 300, 300]);
  },
);

testOnBothStores("a throttle outlives a restart and holds in every process", async ({ open }) => {
  const store = await openWithAccount(open);
  for (let index = 0; index < 5; index++) await guess(store, { now: NOW });
  const other = await open();
  assert.equal((await guess(other, { now: NOW + 14_999 })).kind, "throttled");
  assert.deepEqual(await guess(other, { now: NOW + 15_000 }), WRONG);
});

testOnBothStores(
  "a burst of parallel guesses gets no more tries than a patient one",
  async ({ open }) => {
    const stores = [await openWithAccount(open), await open()];
    const proof = "A".repeat(43);
    const claimed = { state: attempt.state };
    const issued = await Promise.all(
      Array.from({ length: 20 }, (_, index) => challenge(stores[index % 2]!)),
    );
    const results = await Promise.all(
      issued.map(({ challengeId }, index) =>
        complete(stores[index % 2]!, {
          challengeId,
          clientNonce: proof,
          proof,
          claimed,
          address: HOME,
          knownBrowser: null,
        }),
      ),
    );
    assert.equal(results.filter(({ kind }) => kind === "failed").length, 5);
    assert.equal(results.filter(({ kind }) => kind === "throttled").length, 15);
  },
);

testOnBothStores(
  "the owner gets in from elsewhere once the name's wait is over",
  async ({ open }) => {
    const store = await openWithAccount(open);
    const stranger = "198.51.100.9";
    for (let index = 0; index < 5; index++) await guess(store, { now: NOW, address: stranger });
    assert.equal((await begin(store)).kind, "throttled");
    const later = NOW + 15_000;
    const { request } = await prove(await challenge(store, { now: later }));
    assert.equal((await complete(store, request, later)).kind, "proved");
    // The success cleared the name, and no network.
    assert.deepEqual(await guess(store, { now: later, address: stranger }), WRONG);
    assert.equal((await guess(store, { now: later, address: stranger })).kind, "throttled");
    assert.deepEqual(await guess(store, { now: later }), WRONG);
  },
);

testOnBothStores("one network waits whatever names it tries", async ({ open }) => {
  const store = await openWithAccount(open);
  for (let index = 0; index < 5; index++) {
    const address = `2001:db8:1:2::${index + 1}`;
    const failure = await guess(store, { now: NOW, username: `name${index}`, address });
    assert.deepEqual(failure, { ...WRONG, ...(index === 4 && { beginsThrottling: true }) });
  }
  const blocked = await begin(store, { username: "name9", address: "2001:db8:1:2:ffff::1" });
  assert.equal(blocked.kind, "throttled");
  const neighbour = await begin(store, { username: "name9", address: "2001:db8:1:3::1" });
  assert.equal(neighbour.kind, "challenged");
});

testOnBothStores("one site waits whatever its networks and names", async ({ open }) => {
  const store = await openWithAccount(open);
  const guessFrom = async (network: number, name: string) => {
    const address = `2001:db8:1:${network}::1`;
    return guess(store, { now: NOW, username: name, address });
  };
  // The first network fails until it waits, and then its failures delay no other network.
  for (let index = 0; index < 30; index++) {
    const now = NOW - 3_600_000 * 3 + index * 300_000;
    const address = "2001:db8:1:0::1";
    await guess(store, { now, username: `early${index}`, address });
  }
  for (let index = 0; index < 15; index++) {
    const failure = await guessFrom(1 + index, `name${index}`);
    assert.deepEqual(failure, { ...WRONG, ...(index === 14 && { beginsThrottling: true }) });
  }
  const blocked = { kind: "throttled", retryAfterSeconds: 15 };
  assert.deepEqual(await guessFrom(99, "name99"), blocked);
  assert.equal((await begin(store, { address: "2001:db8:2::1" })).kind, "challenged");
  // IPv4 has sites too.
  for (let index = 0; index < 20; index++) {
    const address = `203.0.113.${index}`;
    assert.equal((await guess(store, { now: NOW, username: `x${index}`, address })).kind, "failed");
  }
  assert.equal((await begin(store, { address: "203.0.113.200" })).kind, "throttled");
});

testOnBothStores("the store holds neither names nor addresses of failures", async ({ open }) => {
  const store = await openWithAccount(open);
  await guess(store, { now: NOW, username: "mistyped password", address: HOME });
  const rows = await store.query("SELECT * FROM identity_failures");
  assert.equal(rows.length, 3);
  const text = JSON.stringify(rows);
  assert.ok(!text.includes("mistyped") && !text.includes(HOME));
});

testOnBothStores("pruning deletes expired rows and keeps the others", async ({ open }) => {
  const store = await openWithAccount(open);
  await guess(store, { now: NOW });
  await challenge(store);
  const count = async (table: string) => (await store.query(`SELECT 1 FROM ${table}`)).length;
  const counts = async () => [
    await count("identity_challenges"),
    await count("identity_failures"),
    await count("identity_accounts"),
  ];
  await pruneSqlIdentity(store, NOW + CHALLENGE_LIFETIME_MS - 1);
  assert.deepEqual(await counts(), [1, 3, 1]);
  await pruneSqlIdentity(store, NOW + CHALLENGE_LIFETIME_MS);
  assert.deepEqual(await counts(), [0, 3, 1]);
  await pruneSqlIdentity(store, NOW + 24 * 3_600_000);
  assert.deepEqual(await counts(), [0, 0, 1]);
});

function traceStatements(tx: Queryable, statements: string[]): Queryable {
  return {
    query: (sql, params) => {
      statements.push(`${sql} ${params?.map((value) => typeof value).join()}`);
      return tx.query(sql, params);
    },
    queryRows: (sql, rows, params) => tx.queryRows(sql, rows, params),
  };
}
