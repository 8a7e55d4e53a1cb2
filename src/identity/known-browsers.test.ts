import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { deriveKey } from "../../test/fixtures/password-keys.ts";
import { testOnBothStores, type IdentityPlace } from "../../test/identity/on-both-stores.ts";
import { DAY_MS } from "../contract/durations.ts";
import type { Database, Queryable } from "../database/database.ts";
import { provePassword } from "../rules/identity/prove-password.ts";
import { createAccounts } from "./accounts.ts";
import { createInstanceKey } from "./instance-key.ts";
import {
  clientShares,
  confirmBrowser,
  identifyClient,
  KNOWN_BROWSER_SECONDS,
  rememberBrowser,
} from "./known-browsers.ts";
import { hashSecret } from "./one-time-secrets.ts";
import { createSignIn } from "./sign-in.ts";
import { createSqlIdentityRecords, pruneSqlIdentity } from "./sql-identity-records.ts";
import { createThrottle } from "./throttle.ts";

const NOW = Date.UTC(2026, 7, 21);
const YEAR_MS = KNOWN_BROWSER_SECONDS * 1000;
const PURPOSE = "trellis-events-login";
const PASSWORDS = { anna: "correct horse battery", bert: "another long password" };
const attempt = { interaction: "one" };
const instanceKey = createInstanceKey(randomBytes(32));
const accounts = createAccounts({ realm: "events", instanceKey, iterations: 100_000 });
const throttle = createThrottle("events", instanceKey);
const signIn = createSignIn({ purpose: PURPOSE, accounts, throttle });
// The verifiers are derived once for all tests: a derivation takes longer than most of them.
const deriving = {
  anna: accounts.deriveVerifier(PASSWORDS.anna),
  bert: accounts.deriveVerifier(PASSWORDS.bert),
};
const recordsOf = (tx: Queryable) => createSqlIdentityRecords(tx, "events");

type Username = keyof typeof PASSWORDS;
interface Origin {
  readonly address: string;
  readonly knownBrowser: string | null;
  readonly now?: number;
}

const HOME = "192.0.2.1";
const UNKNOWN: Origin = { address: HOME, knownBrowser: null };

async function openWithAccounts(open: IdentityPlace["open"]): Promise<Database> {
  const store = await open();
  for (const username of ["anna", "bert"] as const) {
    const derived = await deriving[username];
    assert.ok(derived.kind === "derived");
    await accounts.create(recordsOf(store), username, derived.verifier, NOW);
  }
  return store;
}

async function begin(store: Database, username: string, { now = NOW, ...origin }: Origin) {
  return store.transaction(async (tx) => {
    const client = await identifyClient(recordsOf(tx), { username, ...origin }, now);
    return signIn.begin(recordsOf(tx), { username, attempt, client }, now);
  });
}

/** Returns the value that the browser keeps, or the kind of the result. */
async function signInAs(store: Database, username: Username, origin: Origin): Promise<string> {
  const { now = NOW, ...from } = origin;
  const begun = await begin(store, username, origin);
  if (begun.kind !== "challenged") return begun.kind;
  const { challenge } = begun;
  const password = PASSWORDS[username];
  const login = { purpose: PURPOSE, username, password, attempt, challenge };
  const proved = await provePassword(login, deriveKey);
  assert.ok(proved.kind === "proved");
  const { clientNonce, proof } = proved;
  const { challengeId } = challenge;
  const request = { challengeId, clientNonce, proof, claimed: attempt, ...from };
  return store.transaction(async (tx) => {
    const result = await signIn.complete(recordsOf(tx), request, now);
    return result.kind === "proved"
      ? rememberBrowser(recordsOf(tx), from.knownBrowser, result.accountId, now, randomBytes)
      : result.kind;
  });
}

async function guess(store: Database, username: string, origin: Origin): Promise<string> {
  const { now = NOW, ...from } = origin;
  const begun = await begin(store, username, origin);
  if (begun.kind !== "challenged") return begun.kind;
  const { challengeId } = begun.challenge;
  const proof = "A".repeat(43);
  const request = { challengeId, clientNonce: proof, proof, claimed: attempt, ...from };
  return (await store.transaction((tx) => signIn.complete(recordsOf(tx), request, now))).kind;
}

async function guesses(store: Database, username: string, origin: Origin, count: number) {
  const kinds = [];
  for (let index = 0; index < count; index++) kinds.push(await guess(store, username, origin));
  return kinds;
}

async function readHashes(store: Database): Promise<Set<string>> {
  const rows = await store.query<{ token_hash: string }>("SELECT * FROM identity_known_browsers");
  return new Set(rows.map((row) => row.token_hash));
}

const isToken = (value: string) => /^[A-Za-z0-9_-]{43}$/.test(value);

testOnBothStores("strangers do not lock a known browser out", async ({ open }) => {
  const store = await openWithAccounts(open);
  const knownBrowser = await signInAs(store, "anna", UNKNOWN);
  assert.ok(isToken(knownBrowser));
  // Strangers guess the name from elsewhere, and made-up names from the owner's own network.
  await guesses(store, "anna", { ...UNKNOWN, address: "198.51.100.9" }, 5);
  for (let index = 0; index < 5; index++) await guess(store, `made-up-${index}`, UNKNOWN);
  assert.equal(await signInAs(store, "anna", UNKNOWN), "throttled");
  assert.ok(isToken(await signInAs(store, "anna", { address: HOME, knownBrowser })));
});

testOnBothStores("a known browser has a counter of its own", async ({ open }) => {
  const store = await openWithAccounts(open);
  const knownBrowser = await signInAs(store, "anna", UNKNOWN);
  const known = { address: HOME, knownBrowser };
  const failures = ["failed", "failed", "failed", "failed", "failed"];
  assert.deepEqual(await guesses(store, "anna", known, 7), [...failures, "throttled", "throttled"]);
  // The known browser is throttled from any network, and no other client is.
  assert.equal(await guess(store, "anna", { ...known, address: "203.0.113.5" }), "throttled");
  assert.deepEqual(await guesses(store, "anna", UNKNOWN, 6), [...failures, "throttled"]);
  const later = { ...known, now: NOW + 15_000 };
  assert.ok(isToken(await signInAs(store, "anna", later)));
});

testOnBothStores(
  "its token changes with every sign-in, and the old one is unknown once the new one came back",
  async ({ open }) => {
    const store = await openWithAccounts(open);
    const first = await signInAs(store, "anna", UNKNOWN);
    await guesses(store, "anna", { address: HOME, knownBrowser: first }, 4);
    const second = await signInAs(store, "anna", { address: HOME, knownBrowser: first });
    assert.ok(isToken(second));
    assert.notEqual(second, first);
    assert.deepEqual(await readHashes(store), new Set([first, second].map(hashSecret)));
    // A sign-in clears the counter of its own browser.
    const kinds = await guesses(store, "anna", { address: HOME, knownBrowser: second }, 5);
    assert.deepEqual(new Set(kinds), new Set(["failed"]));
    const later = NOW + 15_000;
    const third = await signInAs(store, "anna", {
      address: HOME,
      knownBrowser: second,
      now: later,
    });
    assert.deepEqual(await readHashes(store), new Set([second, third].map(hashSecret)));
    await guesses(store, "anna", { ...UNKNOWN, now: later }, 5);
    const old = { address: HOME, knownBrowser: first, now: later };
    assert.equal(await guess(store, "anna", old), "throttled");
  },
);

testOnBothStores("a lost response leaves the browser known", async ({ open }) => {
  const store = await openWithAccounts(open);
  const kept = await signInAs(store, "anna", UNKNOWN);
  const known = { address: HOME, knownBrowser: kept };
  await guesses(store, "anna", UNKNOWN, 5);
  // However often the new value is lost, and in whatever tab it arrives.
  const lost = [];
  for (let count = 0; count < 6; count++) lost.push(await signInAs(store, "anna", known));
  assert.ok(lost.every(isToken));
  assert.equal((await readHashes(store)).size, 4);
  const arrived = lost.at(-2) ?? "";
  assert.ok(isToken(await signInAs(store, "anna", { address: HOME, knownBrowser: arrived })));
  assert.equal(await signInAs(store, "anna", known), "throttled");
  assert.ok(isToken(await signInAs(store, "anna", { ...known, knownBrowser: lost.at(-1) ?? "" })));
});

testOnBothStores("a replaced token counts for 30 days at most", async ({ open }) => {
  const store = await openWithAccounts(open);
  const stolen = await signInAs(store, "anna", UNKNOWN);
  await signInAs(store, "anna", { address: HOME, knownBrowser: stolen });
  // Another sign-in with the old token does not prolong it.
  const days = (count: number) => NOW + count * DAY_MS;
  await signInAs(store, "anna", { address: HOME, knownBrowser: stolen, now: days(29) });
  const identify = async (now: number) => {
    const request = { username: "anna", address: HOME, knownBrowser: stolen };
    return (await store.transaction((tx) => identifyClient(recordsOf(tx), request, now))).kind;
  };
  assert.equal(await identify(days(30) - 1), "known-browser");
  assert.equal(await identify(days(30)), "unknown");
});

testOnBothStores("signing in as oneself buys no further guesses", async ({ open }) => {
  const store = await openWithAccounts(open);
  let failed = 0;
  let knownBrowser: string | null = null;
  for (let round = 0; round < 4; round++) {
    for (let count = 0; count < 4; count++) {
      const name = `made-up-${round}-${count}`;
      const kind = await guess(store, name, { address: HOME, knownBrowser });
      if (kind === "failed") failed++;
    }
    const value = await signInAs(store, "bert", { address: HOME, knownBrowser });
    if (isToken(value)) knownBrowser = value;
  }
  assert.equal(failed, 5);
});

testOnBothStores("a browser is known for the accounts that signed in from it", async ({ open }) => {
  const store = await openWithAccounts(open);
  const annas = await signInAs(store, "anna", UNKNOWN);
  const both = await signInAs(store, "bert", { address: HOME, knownBrowser: annas });
  assert.match(both, /^[\w-]{43}\.[\w-]{43}$/);
  for (let index = 0; index < 5; index++) await guess(store, `made-up-${index}`, UNKNOWN);
  const shared = { address: HOME, knownBrowser: both };
  assert.equal(await guess(store, "anna", { ...shared, knownBrowser: null }), "throttled");
  assert.equal(await guess(store, "nora", shared), "throttled");
  for (const username of ["anna", "bert"] as const) {
    assert.equal(await guess(store, username, shared), "failed");
  }
  assert.equal(await guess(store, "bert", { ...shared, knownBrowser: annas }), "throttled");
});

testOnBothStores("a token lives for a year, and then its row goes", async ({ open }) => {
  const store = await openWithAccounts(open);
  const knownBrowser = await signInAs(store, "anna", UNKNOWN);
  const identify = (now: number) => {
    const request = { username: "anna", address: HOME, knownBrowser };
    return store.transaction((tx) => identifyClient(recordsOf(tx), request, now));
  };
  assert.equal((await identify(NOW + YEAR_MS - 1)).kind, "known-browser");
  assert.equal((await identify(NOW + YEAR_MS)).kind, "unknown");
  const count = async () => (await store.query("SELECT 1 FROM identity_known_browsers")).length;
  await store.transaction((tx) => pruneSqlIdentity(tx, NOW + YEAR_MS - 1));
  assert.equal(await count(), 1);
  await store.transaction((tx) => pruneSqlIdentity(tx, NOW + YEAR_MS));
  assert.equal(await count(), 0);
});

testOnBothStores("sign-ins without a token evict no browser that is in use", async ({ open }) => {
  const store = await openWithAccounts(open);
  const [account] = await accounts.list(recordsOf(store));
  const remember = (knownBrowser: string | null, now = NOW) =>
    store.transaction((tx) =>
      rememberBrowser(recordsOf(tx), knownBrowser, account!.accountId, now, randomBytes),
    );
  // One signed in once before the flood; the others came back, one by a page alone.
  const once = await remember(null);
  const came = await remember(await remember(null));
  const opened = await remember(null);
  await store.transaction((tx) => confirmBrowser(recordsOf(tx), opened, account!.accountId, NOW));
  const flood: string[] = [];
  // Whatever the clock says.
  for (let count = 0; count < 100; count++) flood.push(await remember(null, NOW - count));
  const hashes = await readHashes(store);
  for (const value of [once, came, opened, flood.at(-1) ?? ""]) {
    assert.ok(hashes.has(hashSecret(value)));
  }
  const scripts = flood.filter((value) => hashes.has(hashSecret(value)));
  assert.deepEqual(scripts, [...flood.slice(0, 15), ...flood.slice(-16)]);
});

testOnBothStores("of browsers that came back, 32 are known to an account", async ({ open }) => {
  const store = await openWithAccounts(open);
  const [account] = await accounts.list(recordsOf(store));
  const remember = (knownBrowser: string | null) =>
    store.transaction((tx) =>
      rememberBrowser(recordsOf(tx), knownBrowser, account!.accountId, NOW, randomBytes),
    );
  const values: string[] = [];
  for (let count = 0; count < 32; count++) values.push(await remember(await remember(null)));
  values[0] = await remember(values[0] ?? "");
  const newest = await remember(await remember(null));
  const hashes = await readHashes(store);
  const known = values.filter((value) => hashes.has(hashSecret(value)));
  assert.deepEqual(known, [values[0], ...values.slice(2)]);
  assert.ok(hashes.has(hashSecret(newest)));
});

testOnBothStores(
  "a new password forgets browsers and ends sign-ins in flight",
  async ({ open }) => {
    const store = await openWithAccounts(open);
    const knownBrowser = await signInAs(store, "anna", UNKNOWN);
    const ofBert = await signInAs(store, "bert", UNKNOWN);
    await begin(store, "anna", UNKNOWN);
    await begin(store, "bert", UNKNOWN);
    const derived = await accounts.deriveVerifier("the newest long password");
    assert.ok(derived.kind === "derived");
    await store.transaction((tx) =>
      accounts.replaceVerifier(recordsOf(tx), "anna", derived.verifier, NOW),
    );
    const kindOf = async (username: string, value: string) => {
      const request = { username, address: HOME, knownBrowser: value };
      return (await store.transaction((tx) => identifyClient(recordsOf(tx), request, NOW))).kind;
    };
    assert.equal(await kindOf("anna", knownBrowser), "unknown");
    assert.equal(await kindOf("bert", ofBert), "known-browser");
    const rows = await store.query("SELECT username FROM identity_challenges");
    assert.deepEqual(rows, [{ username: "bert" }]);
  },
);

testOnBothStores("values that are not ours are those of strangers", async ({ open }) => {
  const store = await openWithAccounts(open);
  const token = await signInAs(store, "anna", UNKNOWN);
  const values = ["", ".", "\u0000", `${token}.`, `${token}x`, "A".repeat(43), "x".repeat(100_000)];
  const many = Array.from({ length: 5 }, () => token).join(".");
  for (const knownBrowser of [...values, many]) {
    const request = { username: "anna", address: "2001:db8::1", knownBrowser };
    const client = await store.transaction((tx) => identifyClient(recordsOf(tx), request, NOW));
    const networks = ["2001:db8::/32", "2001:db8:0::/48", "2001:db8:0:0::/64"];
    assert.deepEqual(client, { kind: "unknown", networks });
  }
});

testOnBothStores("a client is limited by its networks, or as a known browser", async ({ open }) => {
  const store = await openWithAccounts(open);
  const knownBrowser = await signInAs(store, "anna", UNKNOWN);
  const request = { username: "anna", address: HOME, knownBrowser: null };
  const unknown = await identifyClient(recordsOf(store), request, NOW);
  assert.deepEqual(clientShares(unknown), [
    { key: "192.0.0.0/16", share: 16 },
    { key: "192.0.2.0/24", share: 4 },
    { key: HOME, share: 1 },
  ]);
  const known = await identifyClient(recordsOf(store), { ...request, knownBrowser }, NOW);
  const own = { key: `browser ${hashSecret(knownBrowser)}`, share: 1 };
  assert.deepEqual(clientShares(known), [own]);
});
