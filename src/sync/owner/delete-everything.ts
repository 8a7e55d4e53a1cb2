import type { SyncRecords } from "../store.ts";

/**
 * Deletes all data of the instance with its devices, browsers, passkeys and account. What is on its way is refused:
 * codes and sign-ins are gone, and a cleared log takes no push until a device signs in.
 */
export async function deleteEverything({ identity, sessions, log }: SyncRecords): Promise<void> {
  await log.clear();
  await sessions.revokeAll();
  await identity.removeAll();
}
