/** What devices push, pull and wait for. */
import { RECOVERY_REASONS } from "../../contract/sync/values.ts";
import { isFailure } from "../../http/request-log.ts";
import { SECURITY_EVENT_KINDS, type SecurityEventKind } from "../../identity/security-event.ts";
import type { ObservedPull, SyncObserver } from "../../sync/log/sync-observer.ts";
import { createPulledOffsets, type PulledOffsets } from "../../sync/sql/pulled-offsets.ts";
import { REFUSED_REASONS, type RefusedReason } from "./refused-reasons.ts";
import type { Counter, MetricFamily, Metrics } from "./metrics.ts";
import type { SharedMetrics } from "./shared-metrics.ts";
import { addSecurityEvents, type WatchedStore } from "./storage-metrics.ts";
import { GROUP_SIZES } from "./store-metrics.ts";

export interface SyncMeter extends SyncObserver {
  /** Called with how many pushes shared a transaction. */
  appendGroup(pushes: number): void;
  /** Counts a response of this instance when it says that the server failed. */
  responded(status: number): void;
  /** Reads the store whenever a monitor asks, from now on. The result is to be closed before the store. */
  watch(store: WatchedStore): Pick<PulledOffsets, "flush" | "close">;
  /** The instance is closed: its totals stay, so that they go on when it is opened again. */
  close(): void;
}

export interface SyncMetrics {
  /** `instance` is the name of a sync instance; empty for the only one. */
  meter(instance: string): SyncMeter;
  /** An instance exists no more. */
  forget(instance: string): void;
  /** Watches a server with several instances; those in use have a request or a stream in progress. */
  watchHost(readCounts: () => { readonly open: number; readonly inUse: number }): void;
  /** Counts a security event of one of several instances. */
  countSecurityEvent(kind: SecurityEventKind): void;
  /** Counts a request that a server with several instances refused because there are too many. */
  countRefused(reason: RefusedReason): void;
}

const PUSH_RESULTS = ["stored", "conflict", "invalid", "over-quota"] as const;

export function createSyncMetrics(
  metrics: Metrics,
  shared: Pick<SharedMetrics, "watchSync">,
): SyncMetrics {
  const families = createInstanceFamilies(metrics);
  const open = metrics.gauge(
    "trellis_sync_open_instances",
    "Instances, of a server with several, whose stores are open",
    ["state"],
  );
  const refusing = metrics.counter(
    "trellis_sync_refused_requests_total",
    "Requests that a server with several instances refused because there were too many",
    ["reason"],
  );
  const securityEvents = addSecurityEvents(metrics);
  return {
    meter: (instance) => createMeter(instance, families, shared),
    forget(instance) {
      const { pushes, operations, pulled, errors, streams } = families;
      for (const result of PUSH_RESULTS) pushes.remove(instance, result);
      for (const result of ["stored", "duplicate"]) operations.remove(instance, result);
      for (const family of [pulled, errors, streams]) family.remove(instance);
    },
    watchHost(readCounts) {
      // A counter must exist before its first event, or the increase would not be seen.
      for (const kind of SECURITY_EVENT_KINDS) securityEvents.with("sync", kind);
      for (const reason of REFUSED_REASONS) refusing.with(reason);
      metrics.onScrape(() => {
        const counts = readCounts();
        open.with("in_use").set(counts.inUse);
        open.with("idle").set(counts.open - counts.inUse);
      });
    },
    countRefused: (reason) => refusing.with(reason).add(),
    countSecurityEvent: (kind) => securityEvents.with("sync", kind).add(),
  };
}

type InstanceFamilies = ReturnType<typeof createInstanceFamilies>;

function createInstanceFamilies(metrics: Metrics) {
  return {
    pushes: metrics.counter("trellis_sync_pushes_total", "Pushes by their result", [
      "instance",
      "result",
    ]),
    operations: metrics.counter(
      "trellis_sync_operations_total",
      "Operations in stored pushes: new ones, and ones that the log had already",
      ["instance", "result"],
    ),
    pulls: metrics.counter(
      "trellis_sync_pulls_total",
      "Pulls by the reason why the device must sync from the start; `none` for most",
      ["recovery"],
    ),
    pulled: metrics.counter("trellis_sync_pulled_operations_total", "Operations sent to devices", [
      "instance",
    ]),
    errors: metrics.counter(
      "trellis_sync_instance_errors_total",
      "Responses of one of several instances with a status of 5xx, without 507 of a quota that is used up",
      ["instance"],
    ),
    streams: metrics.gauge("trellis_sync_open_streams", "Open streams of changes", ["instance"]),
    groups: metrics.histogram(
      "trellis_sync_append_group_size",
      "Pushes that share one transaction; 1 on SQLite, where transactions share a commit",
      GROUP_SIZES,
    ),
  };
}

function createMeter(
  instance: string,
  { pushes, operations, pulls, pulled, errors, streams, groups }: InstanceFamilies,
  shared: Pick<SharedMetrics, "watchSync">,
): SyncMeter {
  let offsets: PulledOffsets | undefined;
  const count = (family: MetricFamily<Counter>, ...labels: readonly string[]) =>
    // Most of thousands of instances never have a conflict, so a series begins with its first count.
    instance === "" ? family.with(...labels) : new LateCounter(family, labels);
  const byResult = Object.fromEntries(
    PUSH_RESULTS.map((result) => [result, count(pushes, instance, result)]),
  );
  const stored = count(operations, instance, "stored");
  const duplicate = count(operations, instance, "duplicate");
  const byReason = Object.fromEntries(
    RECOVERY_REASONS.map((reason) => [reason, pulls.with(reason)]),
  );
  const group = groups.with();
  const sent = count(pulled, instance);
  const failed = new LateCounter(errors, [instance]);
  if (instance === "") streams.with(instance);

  function countPull({ family, operations: some, offset, recoveryReason }: ObservedPull): void {
    byReason[recoveryReason]?.add();
    // A device that must start over got no operation.
    if (recoveryReason !== "none") return;
    sent.add(some);
    offsets?.note(family, offset);
  }

  return {
    pushed(push) {
      byResult[push.kind]?.add();
      if (push.kind !== "stored") return;
      stored.add(push.operations);
      duplicate.add(push.duplicates);
    },
    pulled: countPull,
    streams: (number) => streams.with(instance).set(number),
    appendGroup: (number) => group.observe(number),
    responded(status) {
      if (isFailure(status)) failed.add();
    },
    watch(store) {
      offsets = createPulledOffsets(store.database);
      if (instance === "") shared.watchSync(store, offsets);
      return offsets;
    },
    close: () => streams.remove(instance),
  };
}

/** A class, so that an open instance has a few small objects for what it may never count. */
class LateCounter implements Pick<Counter, "add"> {
  readonly #family: MetricFamily<Counter>;
  readonly #labels: readonly string[];
  #counter: Counter | undefined;

  constructor(family: MetricFamily<Counter>, labels: readonly string[]) {
    this.#family = family;
    this.#labels = labels;
  }

  add(count = 1): void {
    if (count === 0) return;
    this.#counter ??= this.#family.with(...this.#labels);
    this.#counter.add(count);
  }
}
