import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { testOnBothStores } from "../../test/identity/on-both-stores.ts";
import { DAY_MS } from "../contract/durations.ts";
import type { Database } from "../database/database.ts";
import type { PasswordVerifier } from "../rules/identity/scram.ts";
import { createAccounts } from "./accounts.ts";
import {
  accountLinkId,
  findAccountLink,
  issueInvitation,
  issueResetLink,
  listAccountLinks,
  redeemAccountLink,
  revokeAccountLinks,
  revokeInvitations,
} from "./account-links.ts";
import type { IdentityRecords } from "./identity-records.ts";
import { createInstanceKey } from "./instance-key.ts";
import { createSqlIdentityRecords, pruneSqlIdentity } from "./sql-identity-records.ts";

const NOW = Date.UTC(2026, 7, 21);
const WEEK_MS = 7 * DAY_MS;

function createVerifier(): PasswordVerifier {
  const [storedKey, serverKey] = [randomBytes(32), randomBytes(32)].map((b) => Uint8Array.from(b));
  if (storedKey === undefined || serverKey === undefined) throw new Error("No keys");
  return { salt: Uint8Array.from(randomBytes(16)), iterations: 600_000, storedKey, serverKey };
}

function openLinks(database: Database) {
  const accounts = createAccounts({
    realm: "events",
    instanceKey: createInstanceKey(new Uint8Array(32)),
  });
  const inRealm = <T>(work: (records: IdentityRecords) => Promise<T>) =>
    database.transaction((tx) => work(createSqlIdentityRecords(tx, "events")));
  return {
    accounts,
    inRealm,
    invite: (username: string | null = null) =>
      inRealm(async (records) => {
        const replaced = await revokeInvitations(records, NOW, new Set([username ?? ""]));
        const invited = { accountId: accounts.newAccountId(), username, timeZone: null };
        return issueInvitation(records, invited, replaced.length > 0, NOW, randomBytes);
      }),
    addAnna: () =>
      inRealm(async (records) => {
        const result = await accounts.create(records, "anna", createVerifier(), NOW);
        if (result.kind !== "created") throw new Error(result.kind);
        return result.account;
      }),
    redeem: (link: string, username = "ada", now = NOW) =>
      inRealm(async (records) => {
        const redemption = { link, username, verifier: createVerifier() };
        return (await redeemAccountLink(records, accounts, redemption, now)).kind;
      }),
    list: (now = NOW) => inRealm((records) => listAccountLinks(records, now)),
  };
}

testOnBothStores(
  "an invitation makes one account, within seven days, and the store has no link",
  async ({ open }) => {
    const database = await open();
    const { invite, redeem, inRealm } = openLinks(database);
    const [used, late] = [await invite(), await invite()];
    const rows = JSON.stringify(await database.query("SELECT * FROM identity_secrets"));
    for (const { secret } of [used, late]) assert.ok(!rows.includes(secret));
    assert.equal(await redeem(used.secret, "ada", NOW + WEEK_MS - 1), "redeemed");
    assert.equal(await redeem(used.secret, "eve"), "refused");
    assert.equal(await redeem(late.secret, "eve", NOW + WEEK_MS), "refused");
    for (const link of ["", "\u0000", `${late.secret}x`, "A".repeat(43)]) {
      assert.equal(await redeem(link, "eve"), "refused", link);
    }
    assert.deepEqual(
      (await inRealm((records) => records.listAccounts())).map(({ username }) => username),
      ["ada"],
    );
    await database.transaction((tx) => pruneSqlIdentity(tx, NOW + WEEK_MS));
    assert.deepEqual(await database.query("SELECT 1 FROM identity_secrets"), []);
  },
);

testOnBothStores("a name that is taken or invalid leaves the link as it was", async ({ open }) => {
  const { invite, redeem, addAnna } = openLinks(await open());
  await addAnna();
  const { secret } = await invite();
  assert.equal(await redeem(secret, "anna"), "account-exists");
  assert.equal(await redeem(secret, ""), "invalid-username");
  for (const name of ["a\u0000", "anna ", "an\u200bna", "\u202eanna"]) {
    assert.equal(await redeem(secret, name), "invalid-username", JSON.stringify(name));
  }
  assert.equal(await redeem(secret, "ada"), "redeemed");
});

testOnBothStores("of two browsers that use a link at once, one does", async ({ open }) => {
  const { invite, redeem, inRealm } = openLinks(await open());
  const { secret } = await invite();
  const kinds = await Promise.all([redeem(secret, "ada"), redeem(secret, "eve")]);
  assert.deepEqual(kinds.toSorted(), ["redeemed", "refused"]);
  assert.equal((await inRealm((records) => records.listAccounts())).length, 1);
});

testOnBothStores(
  "links are listed without their secrets, replaced by newer ones, and revoked by id",
  async ({ open }) => {
    const { invite, redeem, list, inRealm, addAnna } = openLinks(await open());
    const [first, second, any] = [await invite("ada"), await invite("ada"), await invite()];
    assert.deepEqual([first.isReplacement, second.isReplacement], [false, true]);
    assert.equal(await redeem(first.secret), "refused");
    const anna = await addAnna();
    const reset = () =>
      inRealm((records) => issueResetLink(records, anna, false, NOW, randomBytes));
    const [former, latter] = [await reset(), await reset()];
    assert.equal(await redeem(former.secret), "refused");
    const listed = await list();
    assert.deepEqual(
      listed.map((link) => [accountLinkId(link), link.kind, link.username]).toSorted(),
      [
        [second.id, "invitation", "ada"],
        [any.id, "invitation", null],
        [latter.id, "reset", "anna"],
      ].toSorted(),
    );
    assert.ok(!JSON.stringify(listed).includes(second.secret));
    const revoke = (id: string | null) =>
      inRealm((records) => revokeAccountLinks(records, id, NOW));
    assert.equal((await revoke(any.id)).length, 1);
    assert.deepEqual(await revoke(any.id), []);
    assert.equal(await redeem(any.secret), "refused");
    assert.equal((await revoke(null)).length, 2);
    assert.deepEqual(await list(), []);
    assert.equal(await redeem(second.secret), "refused");
    assert.equal(await redeem(latter.secret), "refused");
  },
);

testOnBothStores(
  "a password that was set since makes a reset link void, and a new name does not",
  async ({ open }) => {
    const database = await open();
    const { accounts, inRealm, addAnna, list } = openLinks(database);
    const anna = await addAnna();
    const issue = (account = anna) =>
      inRealm((records) => issueResetLink(records, account, true, NOW, randomBytes));
    const find = (link: string) => inRealm((records) => findAccountLink(records, link, NOW));
    const renamed = await issue();
    await database.query("UPDATE identity_accounts SET username = 'grace'");
    const found = await find(renamed.secret);
    assert.ok(found?.kind === "reset");
    assert.deepEqual([found.username, found.revokesApps], ["grace", true]);
    await inRealm((records) =>
      accounts.replaceVerifier(records, "grace", createVerifier(), NOW + 1),
    );
    assert.equal(await find(renamed.secret), null);
    assert.deepEqual(await list(), []);
    const orphaned = await issue({ ...anna, passwordChangedAt: NOW + 1 });
    assert.notEqual(await find(orphaned.secret), null);
    await database.query("DELETE FROM identity_accounts");
    assert.equal(await find(orphaned.secret), null);
  },
);
