import { STORED_SYNC } from "../../../server/stored-sync.ts";
import type { KeyService } from "../store/key-service.ts";
import { withSyncStore } from "./open-store.ts";

export const syncKeys: KeyService = {
  ...STORED_SYNC,
  note: "Passwords stay the same and devices stay signed in: what they hold of the old key is accepted until they renew it, for at most 60 days.",
  withDatabase: (context, work) => withSyncStore(context, "read", ({ database }) => work(database)),
};
