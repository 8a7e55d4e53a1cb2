/**
 * Tells when a store becomes unavailable and when it is back, once each: every request in between
 * fails for the same reason. A write that is tried now and then finds out that the store is back.
 */
import { StorageUnavailableError } from "./database.ts";

export type StorageNotice =
  | { readonly kind: "storage-unavailable"; readonly reason: string }
  | {
      readonly kind: "storage-available";
      readonly unavailableMs: number;
      /** How many requests and other tasks failed meanwhile. */
      readonly failures: number;
    };

export type StorageMonitor = ReturnType<typeof createStorageMonitor>;

export interface StorageMonitorSettings {
  /** Rejects when the store cannot be written. */
  probe(): Promise<void>;
  readonly onNotice: ((notice: StorageNotice) => void) | undefined;
  readonly probeMs?: number;
}

interface Outage {
  readonly startedAt: number;
  readonly error: StorageUnavailableError;
  failures: number;
  quietProbes: number;
}

const PROBE_MS = 1000;
/** How many probes without a failure end an outage: a full disk may take a probe but not a larger write. */
const QUIET_PROBES = 3;

export function createStorageMonitor(settings: StorageMonitorSettings) {
  const { probe, probeMs = PROBE_MS } = settings;
  let outage: Outage | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  /** Reports a task that failed because of the store. */
  function reportFailure(error: StorageUnavailableError): void {
    // What was under way when the store was closed fails, and that is no outage.
    if (isClosed) return;
    if (outage === null) {
      outage = { startedAt: performance.now(), error, failures: 0, quietProbes: 0 };
      notify({ kind: "storage-unavailable", reason: error.message });
      probeSoon();
    }
    outage.failures++;
    outage.quietProbes = 0;
  }

  function probeSoon(): void {
    timer = setTimeout(() => void tryWrite(), probeMs).unref();
  }

  async function tryWrite(): Promise<void> {
    const current = outage;
    if (current === null) return;
    const failuresBefore = current.failures;
    const isWritten = await probe().then(
      () => true,
      () => false,
    );
    // The monitor was closed meanwhile.
    if (outage !== current) return;
    const isQuiet = isWritten && current.failures === failuresBefore;
    current.quietProbes = isQuiet ? current.quietProbes + 1 : 0;
    if (current.quietProbes < QUIET_PROBES) return probeSoon();
    outage = null;
    const unavailableMs = Math.round(performance.now() - current.startedAt);
    notify({ kind: "storage-available", unavailableMs, failures: current.failures });
  }

  function notify(notice: StorageNotice): void {
    try {
      settings.onNotice?.(notice);
    } catch {
      // A listener that fails must not change a response.
    }
  }

  return {
    reportFailure,
    /** Rejects when the store cannot be written, or while it is unavailable to larger writes. */
    async checkReady(): Promise<void> {
      await probe();
      if (outage !== null) throw outage.error;
    },
    /** Runs a task that is due again later: an unavailable store is reported, and no error. */
    async tolerate(task: () => Promise<void>): Promise<void> {
      try {
        await task();
      } catch (error) {
        if (!(error instanceof StorageUnavailableError)) throw error;
        reportFailure(error);
      }
    },
    close(): void {
      isClosed = true;
      clearTimeout(timer);
      outage = null;
    },
  };
}
