/** The account of a sync instance, as `trellis sync account create` writes it. */
import { createAccounts } from "../../src/identity/accounts.ts";
import type { InstanceKey } from "../../src/identity/instance-key.ts";
import { SYNC_REALM } from "../../src/sync/store.ts";
import type { SyncStore } from "../../src/sync/store.ts";
import { createTestVerifier, type TestAccount } from "../fixtures/password-keys.ts";

export async function addSyncAccount(
  store: SyncStore,
  instanceKey: InstanceKey,
  { username, password, iterations }: TestAccount,
): Promise<void> {
  const accounts = createAccounts({ realm: SYNC_REALM, instanceKey });
  const verifier = await createTestVerifier(password, iterations);
  const { kind } = await store.transaction(({ identity }) =>
    accounts.create(identity, username, verifier, Date.now()),
  );
  if (kind !== "created") throw new Error(`Cannot create the account: ${kind}`);
}
