import assert from "node:assert/strict";
import {
  createAuthenticator,
  type Deviations,
  type SoftwarePasskey,
} from "../../conformance/authenticator.ts";
import type { InstanceKey } from "../../src/identity/instance-key.ts";
import { createPasskeys } from "../../src/identity/passkeys/passkeys.ts";
import { createRelyingParty } from "../../src/identity/passkeys/relying-party.ts";
import { SYNC_REALM, type SyncStore } from "../../src/sync/store.ts";

/** Adds a passkey to the account of the store, as its owner's page would. */
export function addSyncPasskey(
  store: Pick<SyncStore, "transaction">,
  instanceKey: InstanceKey,
  baseUrl: string,
  now: number,
  given: Deviations = {},
): Promise<SoftwarePasskey> {
  const rp = createRelyingParty(baseUrl, "Sync");
  assert.ok(rp !== null);
  const passkeys = createPasskeys({ realm: SYNC_REALM, rp, instanceKey });
  return store.transaction(async ({ identity }) => {
    const [account] = await identity.listAccounts();
    assert.ok(account !== undefined);
    const options = await passkeys.beginAdd(identity, account, "test", now);
    const { passkey, credential } = createAuthenticator(rp.origin).create(options, given);
    const request = { attempt: "test", credential, name: "Phone" };
    const added = await passkeys.completeAdd(identity, account, request, now);
    assert.equal(added.kind, "added");
    return passkey;
  });
}
