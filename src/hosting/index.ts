/** `trellis/hosting`: many personal instances of sync in one process. */
export { createSyncHost, type SyncHost, type SyncHostOptions } from "./create-sync-host.ts";
export type { HostNotice } from "./host-notice.ts";
export type { InstanceState } from "./listed-instances.ts";
export type { HostCounts } from "./sync-host.ts";
export type { InstanceSettings, InstancesByName } from "../configuration/configuration-schema.ts";
export type { Administration } from "../sync/maintenance/administration.ts";
export type {
  ChangedPassword,
  CreatedAccount,
} from "../identity/account/account-administration.ts";
