import type { EventsRecords } from "../store.ts";

/** Revokes the apps of an account, and ends what could become a new grant: codes and sign-ins in flight. */
export async function revokeAllAccess(
  { grants, identity }: Pick<EventsRecords, "grants" | "identity">,
  { accountId, username }: { readonly accountId: string; readonly username: string },
): Promise<number> {
  await identity.removeChallenges(username);
  return grants.revokeAll(accountId);
}
