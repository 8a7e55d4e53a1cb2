import type { ClientKeys } from "./client-keys.ts";
import type { LocalStore } from "./local-store.ts";
import { SESSION_KEY, SIGN_IN_KEY } from "./records.ts";
import type { SignOutError, SignOutResult } from "./results.ts";
import type { Tokens } from "./tokens.ts";

/**
 * Options of `signOut`: every device, erasing the data of this one, and dropping edits that were not sent.
 */
export interface SignOutOptions {
  /** Ends the sessions of every device, not only of this one. */
  readonly everywhere?: boolean;
  /** Removes all data from this device; refused while it has edits that the server does not have. */
  readonly erase?: boolean;
  /** Lets `erase` remove such edits, too. */
  readonly discardUnsent?: boolean;
}

/** Signs out even without the server; `everywhere` needs it: else nothing changes and the app can retry. */
export async function signOut(
  store: LocalStore,
  tokens: Tokens,
  /** Returns the number of unsent edits that keep the device from it. */
  eraseAll: (discardUnsent: boolean) => Promise<number>,
  { everywhere = false, erase = false, discardUnsent = false }: SignOutOptions,
  signal: AbortSignal,
): Promise<SignOutResult> {
  // Another tab may have edited something that is not shown here yet.
  if (erase) await store.catchUp();
  const { pending, quarantine } = store.facts();
  const unsent = pending + quarantine.length;
  if (erase && !discardUnsent && unsent > 0) return notErased(unsent);
  const response = await tokens.request({
    path: "/v1/revoke",
    method: "POST",
    body: JSON.stringify({ scope: everywhere ? "all" : "device" }),
    signal,
  });
  if (response.kind === "failed" && everywhere) {
    return { kind: "not-signed-out", error: response.error };
  }
  if (erase) {
    // An edit that was made meanwhile stays, and waits for the next sign-in.
    const left = await eraseAll(discardUnsent);
    if (left > 0) return notErased(left);
  } else {
    await store.write(async (transaction) => {
      transaction.delete(SESSION_KEY);
      transaction.delete(SIGN_IN_KEY);
    });
  }
  const revoked = response.kind === "ok" ? response.value["revoked"] : null;
  return { kind: "signed-out", revoked: typeof revoked === "number" ? revoked : null };
}

/** The keys go first: the records that a failure leaves behind cannot be read then. */
export async function eraseWithKeys(
  store: LocalStore,
  keys: ClientKeys,
  discardUnsent: boolean,
): Promise<number> {
  const putBack = await keys.remove();
  const left = await store.erase(discardUnsent);
  if (left > 0) await putBack();
  else await keys.load(store.facts().deviceId, store.facts().keys);
  return left;
}

function notErased(count: number): SignOutResult {
  const error: SignOutError = {
    kind: "unsent-edits",
    count,
    message: `The sync server does not have ${count} of the edits on this device; sync first, or erase them with discardUnsent`,
  };
  return { kind: "not-signed-out", error };
}
