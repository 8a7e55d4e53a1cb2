/** What the parts of a host share. */
import type { InstancesByName } from "../configuration/configuration-schema.ts";
import type { HostConfiguration } from "../configuration/instance.ts";
import type { RequestLines, RequestLog } from "../http/request-log.ts";
import type { ServiceObservers } from "../operate/service-observers.ts";
import type { PushReaders } from "../sync/log/push-reader.ts";
import type { FairTurns } from "./admission/fair-turns.ts";
import type { OpeningLimits, TakeOpening } from "./admission/opening-budget.ts";
import type { HostNotice, HostNotices } from "./host-notice.ts";
import type { ListedInstances } from "./listed-instances.ts";

export interface HostSettings extends HostConfiguration {
  readonly instances: InstancesByName;
  /** Whether an instance without a folder is a new one; else a command makes the folder. */
  readonly createsFolders: boolean;
  readonly trustedProxies: readonly string[];
  /** How long a snapshot may wait for its client. */
  readonly streamIdleTimeoutMs: number;
  readonly idleMs?: number;
  readonly openingLimits?: OpeningLimits;
  /** The log of an instance; `instance` is null for requests that reach none. */
  log(instance: string | null): RequestLog | RequestLines | undefined;
  onNotice(notice: HostNotice, instance: string): void;
  readonly observers?: ServiceObservers;
}

/** The settings, and what `startSyncHost` makes of them once. */
export interface HostDependencies extends HostSettings {
  readonly listed: ListedInstances;
  readonly turns: FairTurns;
  readonly takeOpening: TakeOpening;
  readonly notices: HostNotices;
  readonly pushReaders: PushReaders;
}
