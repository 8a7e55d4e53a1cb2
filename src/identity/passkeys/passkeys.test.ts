import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test, type TestContext } from "node:test";
import { createAuthenticator, type Deviations } from "../../../conformance/authenticator.ts";
import { createPlace } from "../../../test/identity/on-both-stores.ts";
import { PASSKEY_CHALLENGE_SECONDS } from "../../contract/identity.ts";
import { MAX_PASSKEYS } from "../../contract/passkey.ts";
import { encodeBase64Url } from "../../rules/base64url.ts";
import { createAccounts } from "../accounts.ts";
import { isFresh } from "../browser-sessions.ts";
import { createInstanceKey } from "../instance-key.ts";
import { createSqlIdentityRecords, pruneSqlIdentity } from "../sql-identity-records.ts";
import { createPasskeys } from "./passkeys.ts";
import { createRelyingParty, passkeysAvailable } from "./relying-party.ts";

const NOW = Date.UTC(2026, 10, 18);
const ORIGIN = "https://sync.example.com";
const rp = createRelyingParty(`${ORIGIN}/base`, "Anna's data")!;
const settings = { realm: "events", rp, instanceKey: createInstanceKey(randomBytes(32)) };
const passkeys = createPasskeys(settings);
const accounts = createAccounts({ ...settings, iterations: 1000 });
const browser = createAuthenticator(ORIGIN);

async function openWorld(t: TestContext) {
  const database = await (await createPlace(t, "SQLite")).open();
  const records = createSqlIdentityRecords(database, "events");
  const addAccount = async (username: string) => {
    const accountId = accounts.newAccountId();
    const created = await accounts.createWithoutPassword(records, accountId, username, NOW);
    assert.ok(created.kind === "created");
    return created.account;
  };
  const anna = await addAccount("anna");
  const make = async (given: Deviations = {}, account = anna, attempt = "session") => {
    const options = await passkeys.beginAdd(records, account, "session", NOW);
    const { passkey, credential } = browser.create(options, given);
    const request = { attempt, credential, name: "Phone" };
    return { passkey, request, result: await passkeys.completeAdd(records, account, request, NOW) };
  };
  /** Signs in with a passkey, in the attempt "a" unless told otherwise. */
  const signIn = async (
    passkey: Awaited<ReturnType<typeof make>>["passkey"],
    given: Deviations = {},
    { attempt = "a", now = NOW } = {},
  ) => {
    const credential = browser.get(passkeys.beginSignIn("a", NOW), passkey, given);
    const result = await passkeys.completeSignIn(records, { attempt, credential }, now);
    if (result.kind === "proved") return result;
    const { accountId: _account, ...failure } = result;
    return failure;
  };
  return { database, records, anna, addAccount, make, signIn };
}

const failed = (reason: string) => ({ kind: "failed", reason });

test("a passkey is added, signs in as its account, and notes its use", async (t) => {
  const { records, anna, make, signIn } = await openWorld(t);
  const { passkey, result } = await make();
  const { accountId } = anna;
  assert.ok(result.kind === "added");
  assert.deepEqual(await records.listPasskeys(accountId), [result.passkey]);
  assert.deepEqual(await signIn(passkey, {}, { now: NOW + 5 }), {
    kind: "proved",
    accountId,
    username: "anna",
  });
  const [used] = await records.listPasskeys(accountId);
  assert.deepEqual(used, { ...result.passkey, lastUsedAt: NOW + 5 });
});

test("the options ask for a discoverable credential that verifies its user", async (t) => {
  const { records, anna, make } = await openWorld(t);
  const { passkey } = await make();
  const options = await passkeys.beginAdd(records, anna, "session", NOW);
  assert.deepEqual(options.authenticatorSelection, {
    residentKey: "required",
    requireResidentKey: true,
    userVerification: "required",
  });
  assert.equal(options.attestation, "none");
  assert.deepEqual(options.user, { id: anna.accountId, name: "anna", displayName: "anna" });
  assert.deepEqual(options.excludeCredentials, [{ type: "public-key", id: passkey.id }]);
  assert.deepEqual(options.rp, { id: "sync.example.com", name: "Anna's data" });
});

const DISHONEST: readonly (readonly [string, Deviations, string])[] = [
  ["of another origin", { origin: "https://evil.example.com" }, "wrong-origin"],
  ["in a frame of another site", { crossOrigin: true }, "wrong-origin"],
  ["of another relying party", { rpId: "evil.example.com" }, "not-verified"],
  ["without user verification", { userVerified: false }, "not-verified"],
  ["without a touch of its user", { userPresent: false }, "not-verified"],
];

for (const [name, given, reason] of DISHONEST) {
  test(`a passkey ${name} is neither added nor used`, async (t) => {
    const { records, anna, make, signIn } = await openWorld(t);
    assert.deepEqual((await make(given)).result, failed(reason));
    assert.deepEqual(await records.listPasskeys(anna.accountId), []);
    const { passkey } = await make();
    assert.deepEqual(await signIn(passkey, given), failed(reason));
    assert.equal((await signIn(passkey)).kind, "proved");
  });
}

test("a response of the other ceremony, or with a forged signature, is refused", async (t) => {
  const { records, make, signIn } = await openWorld(t);
  assert.deepEqual((await make({ type: "webauthn.get" })).result, failed("not-verified"));
  const { passkey } = await make();
  assert.deepEqual(await signIn(passkey, { type: "webauthn.create" }), failed("not-verified"));
  const other = (await make()).passkey;
  const forged = { ...passkey, privateKey: other.privateKey };
  assert.deepEqual(await signIn(forged), failed("not-verified"));
  const credential = browser.get(passkeys.beginSignIn("a", NOW), passkey);
  for (const clientDataJSON of ["AA", encodeBase64Url(Buffer.from("[]"))]) {
    const request = { ...credential, response: { ...credential.response, clientDataJSON } };
    const result = await passkeys.completeSignIn(
      records,
      { attempt: "a", credential: request },
      NOW,
    );
    assert.deepEqual(result, { ...failed("malformed"), accountId: null });
  }
});

test("a challenge is of one attempt, one purpose, one account and one server", async (t) => {
  const { records, anna, addAccount, make, signIn } = await openWorld(t);
  const { passkey } = await make();
  assert.deepEqual(await signIn(passkey, {}, { attempt: "b" }), failed("other-attempt"));
  assert.deepEqual((await make({}, anna, "another session")).result, failed("other-attempt"));
  const others = [
    createPasskeys({ ...settings, realm: "sync" }),
    createPasskeys({ ...settings, instanceKey: createInstanceKey(randomBytes(32)) }),
  ].map((other) => other.beginSignIn("a", NOW));
  const forAdding = await passkeys.beginAdd(records, anna, "a", NOW);
  const own = passkeys.beginSignIn("a", NOW).challenge;
  const challenges = [forAdding, ...others].map(({ challenge }) => challenge);
  for (const challenge of [...challenges, own.slice(1), `A${own.slice(1)}`, "AAAA", ""]) {
    assert.deepEqual(await signIn(passkey, { challenge }), failed("other-attempt"), challenge);
  }
  const ben = await addAccount("ben");
  const options = await passkeys.beginAdd(records, anna, "session", NOW);
  const { credential } = browser.create(options);
  const request = { attempt: "session", credential, name: "Phone" };
  const result = await passkeys.completeAdd(records, ben, request, NOW);
  assert.deepEqual(result, failed("other-attempt"));
});

test("a challenge expires", async (t) => {
  const { make, signIn } = await openWorld(t);
  const { passkey } = await make();
  const last = NOW + PASSKEY_CHALLENGE_SECONDS * 1000;
  assert.deepEqual(await signIn(passkey, {}, { now: last }), failed("expired"));
  assert.equal((await signIn(passkey, {}, { now: last - 1 })).kind, "proved");
});

test("a response is used once, and beginning writes nothing", async (t) => {
  const { database, records, anna, make } = await openWorld(t);
  const { passkey, request } = await make({ counter: 5 });
  const replayed = await passkeys.completeAdd(records, anna, request, NOW);
  assert.deepEqual(replayed, failed("replayed"));
  const credential = browser.get(passkeys.beginSignIn("a", NOW), passkey);
  const use = () => passkeys.completeSignIn(records, { attempt: "a", credential }, NOW + 1);
  const uses = await Promise.all([use(), use(), use()]);
  assert.deepEqual(uses.map(({ kind }) => kind).sort(), ["failed", "failed", "proved"]);
  // No counter seems to have gone back, which would raise a false alarm.
  assert.deepEqual(await use(), { ...failed("replayed"), accountId: null });
  for (let index = 0; index < 10; index++) passkeys.beginSignIn("a", NOW);
  const [row] = await database.query("SELECT count(*) AS rows FROM identity_secrets");
  assert.deepEqual(row, { rows: 2 });
});

test("a used response stays used for a process whose clock is behind", async (t) => {
  const { database, records, make } = await openWorld(t);
  const { passkey } = await make();
  const credential = browser.get(passkeys.beginSignIn("a", NOW), passkey);
  const use = () => passkeys.completeSignIn(records, { attempt: "a", credential }, NOW + 1);
  assert.equal((await use()).kind, "proved");
  await pruneSqlIdentity(database, NOW + PASSKEY_CHALLENGE_SECONDS * 1000);
  assert.deepEqual(await use(), { ...failed("replayed"), accountId: null });
});

test("a counter that does not go up is refused, and a passkey may have none", async (t) => {
  const { records, anna, make, signIn } = await openWorld(t);
  const { passkey } = await make({ counter: 5 });
  assert.equal((await signIn(passkey, { counter: 9 })).kind, "proved");
  for (const counter of [9, 8, 0]) {
    assert.deepEqual(await signIn(passkey, { counter }), failed("counter-went-back"));
  }
  const [stored] = await records.listPasskeys(anna.accountId);
  assert.equal(stored?.counter, 9);
  const uncounted = (await make()).passkey;
  assert.equal((await signIn(uncounted)).kind, "proved");
  assert.equal((await signIn(uncounted)).kind, "proved");
});

test("a passkey of one account signs in to no other", async (t) => {
  const { database, addAccount, make, signIn } = await openWorld(t);
  const ben = await addAccount("ben");
  const [annas, bens] = [(await make()).passkey, (await make({}, ben)).passkey];
  const result = await signIn(bens);
  assert.ok(result.kind === "proved" && result.username === "ben");
  const asBen = await signIn(annas, { userHandle: ben.accountId });
  assert.deepEqual(asBen, failed("unknown-passkey"));
  const stranger = { ...annas, id: encodeBase64Url(randomBytes(32)) };
  assert.deepEqual(await signIn(stranger), failed("unknown-passkey"));
  const inSync = createSqlIdentityRecords(database, "sync");
  assert.equal(await inSync.findPasskey(annas.id), null, "it is of another realm");
});

test("a credential id is taken once, and an account has a bounded number", async (t) => {
  const { records, anna, addAccount, make } = await openWorld(t);
  const ben = await addAccount("ben");
  const { passkey, request } = await make();
  // An authenticator that claims the id of another account's passkey.
  const options = await passkeys.beginAdd(records, ben, "session", NOW);
  const { credential } = browser.create(options, { credentialId: passkey.id });
  const claim = { ...request, credential };
  assert.deepEqual(await passkeys.completeAdd(records, ben, claim, NOW), failed("already-added"));
  const kinds: string[] = [];
  for (let count = 1; count <= MAX_PASSKEYS; count++) kinds.push((await make()).result.kind);
  assert.deepEqual([kinds.indexOf("too-many"), kinds.length], [MAX_PASSKEYS - 1, MAX_PASSKEYS]);
  assert.equal((await records.listPasskeys(anna.accountId)).length, MAX_PASSKEYS);
});

test("the id that a passkey is stored under is the one that the request names", async (t) => {
  const { records, anna } = await openWorld(t);
  const options = await passkeys.beginAdd(records, anna, "session", NOW);
  // Longer than WebAuthn allows, and than PostgreSQL can index.
  const made = browser.create(options, { credentialId: encodeBase64Url(randomBytes(4096)) });
  const id = encodeBase64Url(randomBytes(32));
  const request = {
    attempt: "session",
    credential: { ...made.credential, id, rawId: id },
    name: "Phone",
  };
  const result = await passkeys.completeAdd(records, anna, request, NOW);
  assert.deepEqual(result, failed("not-verified"));
});

test("an attestation with certificates is refused before they are looked at", async (t) => {
  const { make } = await openWorld(t);
  for (const attestation of ["tpm", "apple", "packed-with-certificates"] as const) {
    const { result } = await make({ attestation });
    assert.deepEqual(result, failed("unexpected-attestation"), attestation);
  }
});

test("passkeys are renamed and removed by their account alone, the last way in never", async (t) => {
  const { records, anna, addAccount, make } = await openWorld(t);
  const ben = await addAccount("ben");
  const { passkey } = await make();
  const rename = (accountId: string, name: string) =>
    passkeys.rename(records, accountId, passkey.id, name);
  assert.equal(await rename(ben.accountId, "Mine"), "unknown");
  for (const name of ["", " ", "a\nb", "x".repeat(65), "\ud800"]) {
    assert.equal(await rename(anna.accountId, name), "invalid-name");
  }
  assert.equal(await rename(anna.accountId, " Old phone "), "renamed");
  assert.equal((await records.listPasskeys(anna.accountId))[0]?.name, "Old phone");
  assert.deepEqual(await passkeys.remove(records, ben, passkey.id), { kind: "unknown" });
  assert.deepEqual(await passkeys.remove(records, anna, passkey.id), { kind: "last-way-in" });
  const second = (await make()).passkey;
  assert.deepEqual(await passkeys.remove(records, anna, second.id), { kind: "removed" });
  await records.replaceVerifier(anna.accountId, "c2VhbGVk", NOW);
  assert.deepEqual(await passkeys.remove(records, anna, passkey.id), { kind: "removed" });
  assert.deepEqual(await records.listPasskeys(anna.accountId), []);
});

test("passkeys need a domain name, and HTTPS beyond localhost", () => {
  const available = ["https://a.example", "https://nas/base", "http://localhost:8080"];
  const elsewhere = [
    "http://a.example",
    "https://192.0.2.1",
    "https://[2001:db8::1]",
    "http://127.0.0.1:8080",
    "https://0x7f000001",
  ];
  assert.ok(available.every(passkeysAvailable));
  assert.ok(!elsewhere.some(passkeysAvailable));
  assert.deepEqual(createRelyingParty("https://a.example:8443/base", "A"), {
    id: "a.example",
    origin: "https://a.example:8443",
    name: "A",
  });
});

test("a session is fresh for 15 minutes after its sign-in", () => {
  assert.ok(isFresh({ createdAt: NOW }, NOW + 15 * 60_000 - 1));
  assert.ok(!isFresh({ createdAt: NOW }, NOW + 15 * 60_000));
  assert.ok(isFresh({ createdAt: NOW }, NOW - 5000), "of a process whose clock is ahead");
  assert.ok(!isFresh({ createdAt: NOW }, NOW - 15 * 60_000), "of a clock that was set back");
});
