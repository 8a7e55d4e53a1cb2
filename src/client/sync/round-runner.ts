/** Runs rounds one at a time among all tabs, and remembers how the last ones ended. */
import { isOffline, syncError } from "./errors.ts";
import type { SyncResult } from "./results.ts";
import type { Rounds } from "./round.ts";
import type { Activity, Tabs } from "./tabs.ts";

export interface RoundRunnerOptions {
  readonly rounds: Rounds;
  readonly tabs: Tabs;
  readonly onActivity: (activity: Activity) => void;
  readonly onBegin: () => void;
  /** Called after a round, unless the client was stopped during it. */
  readonly onEnd: (retryAfterSeconds: number | null) => void;
}

const CLOSED: SyncResult = { kind: "not-synced", error: syncError("closed") };

export function createRoundRunner(options: RoundRunnerOptions) {
  const { rounds, tabs, onActivity, onBegin, onEnd } = options;
  let isStopped = false;
  let failures = 0;
  let isDisconnected = false;
  let waiting: Promise<SyncResult> | null = null;
  let running: Promise<unknown> | null = null;

  function beginRound(): Promise<SyncResult> {
    waiting = null;
    const round = runRound();
    running = round;
    return round;
  }

  async function runRound(): Promise<SyncResult> {
    if (isStopped) return CLOSED;
    onBegin();
    onActivity({ kind: "syncing" });
    const result = await rounds.run();
    running = null;
    failures = result.kind === "synced" ? 0 : failures + 1;
    isDisconnected = result.kind === "failed" && isOffline(result.error);
    // A tab that is closed during its round leaves no failure to the others.
    const isFailed = result.kind === "failed" && !isStopped;
    onActivity(isFailed ? { kind: "failed", error: result.error } : { kind: "idle" });
    if (!isStopped) onEnd(result.kind === "synced" ? null : result.retryAfterSeconds);
    return result.kind === "synced" ? result : { kind: "not-synced", error: result.error };
  }

  return {
    /** Runs a round now; calls before it begins share it. */
    sync(): Promise<SyncResult> {
      // A lock may be given at once, so that the round begins before it is known as waiting.
      waiting ??= Promise.resolve()
        .then(() => tabs.exclusive("round", beginRound))
        .catch(() => CLOSED);
      return waiting;
    },
    /** Runs other work with the server when no round is in progress; rejects when the client is closed. */
    between: <T>(work: () => Promise<T>): Promise<T> =>
      tabs.exclusive("round", async () => {
        const done = work();
        running = done.catch(() => {});
        try {
          return await done;
        } finally {
          running = null;
        }
      }),
    isRunning: () => running !== null,
    isStopped: () => isStopped,
    /** The failures in a row. */
    failures: () => failures,
    isDisconnected: () => isDisconnected,
    forgetFailures(): void {
      failures = 0;
    },
    /** Resolves when the round that is in progress has ended. */
    async stop(): Promise<void> {
      isStopped = true;
      await running;
    },
  };
}
