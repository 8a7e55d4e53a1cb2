/** What devices push, pull and wait for. */
import { RECOVERY_REASONS } from "../../contract/sync/values.ts";
import type { ObservedPull, SyncObserver } from "../../sync/sync-observer.ts";
import { createPulledOffsets, type PulledOffsets } from "../../sync/sql/pulled-offsets.ts";
import type { Metrics } from "./metrics.ts";
import type { SharedMetrics, WatchedStore } from "./shared-metrics.ts";
import { GROUP_SIZES } from "./store-metrics.ts";

export interface SyncMeter extends SyncObserver {
  /** How many pushes shared a transaction. */
  appendGroup(pushes: number): void;
  /** From now on the store is read when a monitor asks; to be closed before the store. */
  watch(store: Omit<WatchedStore, "instance">): { close(): Promise<void> };
}

/** `instance` is the name of a sync instance; empty for the only one. */
export type SyncMetrics = (instance: string) => SyncMeter;

const PUSH_RESULTS = ["stored", "conflict", "invalid"] as const;

export function createSyncMetrics(
  metrics: Metrics,
  shared: Pick<SharedMetrics, "watchSync">,
): SyncMetrics {
  const pushes = metrics.counter("trellis_sync_pushes_total", "Pushes by their result", [
    "instance",
    "result",
  ]);
  const operations = metrics.counter(
    "trellis_sync_operations_total",
    "Operations in stored pushes: new ones, and ones that the log had already",
    ["instance", "result"],
  );
  const pulls = metrics.counter(
    "trellis_sync_pulls_total",
    "Pulls by the reason for which the device must start anew; `none` for most",
    ["instance", "recovery"],
  );
  const pulled = metrics.counter(
    "trellis_sync_pulled_operations_total",
    "Operations sent to devices",
    ["instance"],
  );
  const streams = metrics.gauge("trellis_sync_open_streams", "Open streams of changes", [
    "instance",
  ]);
  const groups = metrics.histogram(
    "trellis_sync_append_group_size",
    "Pushes that share one transaction; 1 on SQLite, where transactions share a commit",
    GROUP_SIZES,
    ["instance"],
  );
  return (instance) => {
    let offsets: PulledOffsets | undefined;
    const byResult = Object.fromEntries(
      PUSH_RESULTS.map((result) => [result, pushes.with(instance, result)]),
    );
    const [stored, duplicate] = [
      operations.with(instance, "stored"),
      operations.with(instance, "duplicate"),
    ];
    const byReason = Object.fromEntries(
      RECOVERY_REASONS.map((reason) => [reason, pulls.with(instance, reason)]),
    );
    const sent = pulled.with(instance);
    const open = streams.with(instance);
    const group = groups.with(instance);

    function countPull({ family, operations: count, offset, recoveryReason }: ObservedPull): void {
      byReason[recoveryReason]?.add();
      // A device that must start anew got no operation.
      if (recoveryReason !== "none") return;
      sent.add(count);
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
      streams: (count) => open.set(count),
      appendGroup: (count) => group.observe(count),
      watch(store) {
        offsets = createPulledOffsets(store.database);
        shared.watchSync({ ...store, instance }, offsets);
        return offsets;
      },
    };
  };
}
