import { CODES } from "../sign-in/authorization-codes.ts";
import type { SyncRecords } from "../store.ts";

/**
 * Revokes every device, signs every browser out of the owner's page, and ends what could become a
 * session afterwards: codes that were not redeemed and sign-ins in flight. Returns how many devices
 * there were.
 */
export async function revokeEverything({
  identity,
  sessions,
  browserSessions,
}: SyncRecords): Promise<number> {
  await identity.removeUnusedSecrets(CODES.purpose);
  for (const { accountId, username } of await identity.listAccounts()) {
    await identity.removeChallenges(username);
    await browserSessions.closeAll(accountId);
  }
  return sessions.revokeAll();
}
