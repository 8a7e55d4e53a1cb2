import { CODES } from "./authorization-codes.ts";
import type { SyncRecords } from "./store.ts";

/**
 * Revokes every device, and ends what could become a session afterwards: codes that were not redeemed
 * and sign-ins in flight. Returns how many devices there were.
 */
export async function revokeEverything({ identity, sessions }: SyncRecords): Promise<number> {
  await identity.removeUnusedSecrets(CODES.purpose);
  for (const { username } of await identity.listAccounts()) {
    await identity.removeChallenges(username);
  }
  return sessions.revokeAll();
}
