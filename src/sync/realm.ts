/** Whose accounts, challenges, codes and failures are those of sync, where services share a store. */
export const SYNC_REALM = "sync";
