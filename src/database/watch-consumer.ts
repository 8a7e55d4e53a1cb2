import { StorageUnavailableError } from "./database.ts";

/** How long the consumer of a stream may take for its next row: it may be a slow network. */
export const STREAM_IDLE_TIMEOUT_MS = 30_000;

export interface ConsumerWatch {
  /** The stream waits for its consumer from now on. */
  wait(): void;
  /** The consumer goes on; throws when the stream was ended meanwhile. */
  progress(): void;
  isStalled(): boolean;
  stop(): void;
}

/**
 * Ends a stream whose consumer takes no row for too long. A stream keeps a snapshot of the store alive:
 * SQLite cannot reuse its write-ahead log until then, and PostgreSQL cannot remove old rows.
 */
export function watchConsumer(idleTimeoutMs: number, endStream: () => void): ConsumerWatch {
  let isWaiting = false;
  let isStalled = false;
  const timer = setTimeout(() => {
    if (!isWaiting) return;
    isStalled = true;
    endStream();
  }, idleTimeoutMs).unref();
  return {
    wait() {
      isWaiting = true;
      timer.refresh();
    },
    progress() {
      if (isStalled) throw new StorageUnavailableError("a reader stalled for too long");
      isWaiting = false;
    },
    isStalled: () => isStalled,
    stop: () => clearTimeout(timer),
  };
}
