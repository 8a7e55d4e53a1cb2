/** `trellis/sync`: the personal sync service for one instance or for many, and the store port. */
export * from "./sync.ts";
export {
  createSyncHost,
  type SyncHost,
  type SyncHostOptions,
} from "./instances/create-sync-host.ts";
export type { HostNotice } from "./instances/host-notice.ts";
export type { InstanceState } from "./instances/listed-instances.ts";
export type { HostCounts } from "./instances/sync-host.ts";
export type { InstanceSettings, InstancesByName } from "./configuration-schema.ts";
export type { AccountResult, Administration } from "../sync/administration.ts";
