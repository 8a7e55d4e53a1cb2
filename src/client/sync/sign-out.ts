import type { LocalStore } from "./local-store.ts";
import { SESSION_KEY, SIGN_IN_KEY } from "./records.ts";
import type { SignOutResult } from "./results.ts";
import type { Tokens } from "./tokens.ts";

export interface SignOutOptions {
  /** Ends the sessions of every device, not only of this one. */
  readonly everywhere?: boolean;
  /** Removes all data from this device, changes that were not sent included. */
  readonly erase?: boolean;
}

/** Signs out even without the server; `everywhere` needs it: else nothing changes and the app can retry. */
export async function signOut(
  store: LocalStore,
  tokens: Tokens,
  { everywhere = false, erase = false }: SignOutOptions,
  signal: AbortSignal,
): Promise<SignOutResult> {
  const response = await tokens.request({
    path: "/v1/revoke",
    method: "POST",
    body: JSON.stringify({ scope: everywhere ? "all" : "device" }),
    signal,
  });
  if (response.kind === "failed" && everywhere) {
    return { kind: "not-signed-out", error: response.error };
  }
  if (erase) await store.erase();
  else {
    await store.write(async (transaction) => {
      transaction.delete(SESSION_KEY);
      transaction.delete(SIGN_IN_KEY);
    });
  }
  const revoked = response.kind === "ok" ? response.value["revoked"] : null;
  return { kind: "signed-out", revoked: typeof revoked === "number" ? revoked : null };
}
