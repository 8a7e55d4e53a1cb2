/** An account of an events instance, as `trellis events account create` writes it. */
import { EVENTS_REALM } from "../../src/events/store.ts";
import type { EventsStore } from "../../src/events/store.ts";
import { createAccounts } from "../../src/identity/accounts.ts";
import type { InstanceKey } from "../../src/identity/instance-key.ts";
import { createTestVerifier, type TestAccount } from "../fixtures/password-keys.ts";

/** Its id, or null when the name is taken. */
export async function addEventsAccount(
  store: EventsStore,
  instanceKey: InstanceKey,
  { username, password, iterations }: TestAccount,
  now = Date.now(),
): Promise<string | null> {
  const accounts = createAccounts({ realm: EVENTS_REALM, instanceKey });
  const verifier = await createTestVerifier(password, iterations);
  return store.transaction(async ({ identity, profiles }) => {
    const result = await accounts.create(identity, username, verifier, now);
    if (result.kind !== "created") return null;
    const { accountId } = result.account;
    await profiles.put({ accountId, timeZone: "UTC", language: null });
    return accountId;
  });
}
