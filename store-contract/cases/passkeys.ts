import assert from "node:assert/strict";
import type { IdentityRecords } from "../../src/identity/identity-records.ts";
import { NOW, sampleAccount, samplePasskey } from "../samples.ts";
import type { StoreCase, StoreCases } from "../store-case.ts";

const ANNA = "account-of-anna";
const phone = samplePasskey("phone", { createdAt: NOW + 1 });
const laptop = samplePasskey("laptop", { name: "Läptop 💻", counter: 4_294_967_295 });

/** The account of anna has both passkeys. */
const withPasskeys =
  (check: (identity: IdentityRecords) => Promise<void>): StoreCase =>
  ({ store }) =>
    store.transaction(async ({ identity }) => {
      await identity.addAccount(sampleAccount("anna"));
      for (const passkey of [phone, laptop]) {
        assert.equal(await identity.addPasskey(passkey), true);
      }
      await check(identity);
    });

export const PASSKEY_RECORD_CASES: StoreCases = {
  "a passkey is found by its exact id, with the name of its account": withPasskeys(
    async (identity) => {
      assert.deepEqual(await identity.findPasskey("laptop"), { ...laptop, username: "anna" });
      for (const other of ["Laptop", "lapto", "%", ""]) {
        assert.equal(await identity.findPasskey(other), null, `"${other}" is another id`);
      }
    },
  ),
  "the passkeys of an account are listed, the oldest first": withPasskeys(async (identity) => {
    assert.deepEqual(await identity.listPasskeys(ANNA), [laptop, phone]);
    assert.deepEqual(await identity.listPasskeys("another account"), []);
  }),
  "a credential id is added once, and a refusal leaves the transaction usable": withPasskeys(
    async (identity) => {
      assert.equal(await identity.addPasskey({ ...phone, name: "Other" }), false);
      assert.deepEqual(await identity.listPasskeys(ANNA), [laptop, phone]);
    },
  ),
  "a used passkey has its last counter and time": withPasskeys(async (identity) => {
    await identity.usePasskey("phone", 7, NOW + 5);
    const used = { ...phone, counter: 7, lastUsedAt: NOW + 5 };
    assert.deepEqual(await identity.listPasskeys(ANNA), [laptop, used]);
  }),
  "only its account renames or removes a passkey": withPasskeys(async (identity) => {
    assert.equal(await identity.renamePasskey("another account", "phone", "Mine"), false);
    assert.equal(await identity.removePasskey("another account", "phone"), false);
    assert.equal(await identity.renamePasskey(ANNA, "phone", "Old phone"), true);
    const renamed = { ...phone, name: "Old phone" };
    assert.deepEqual(await identity.listPasskeys(ANNA), [laptop, renamed]);
    assert.equal(await identity.removePasskey(ANNA, "phone"), true);
    assert.equal(await identity.removePasskey(ANNA, "phone"), false);
    assert.deepEqual(await identity.listPasskeys(ANNA), [laptop]);
  }),
  "all passkeys of an account are removed at once": withPasskeys(async (identity) => {
    assert.equal(await identity.removePasskeys("another account"), 0);
    assert.equal(await identity.removePasskeys(ANNA), 2);
    assert.deepEqual(await identity.listPasskeys(ANNA), []);
  }),
};
