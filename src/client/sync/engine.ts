/** Decides when a round is due: after an edit, at a new head, now and then, and later after a failure. */
import { backoffMs } from "./backoff.ts";
import { followChanges, type FollowedChanges } from "./live-changes.ts";
import type { LocalStore } from "./local-store.ts";
import { readPosition } from "./records.ts";
import { createRoundRunner } from "./round-runner.ts";
import type { Rounds } from "./round.ts";
import type { SyncSettings } from "./settings.ts";
import type { Activity, Tabs } from "./tabs.ts";
import { createTimer } from "./timer.ts";
import type { Tokens } from "./tokens.ts";

export interface EngineOptions {
  readonly settings: SyncSettings;
  readonly store: LocalStore;
  readonly tokens: Tokens;
  readonly rounds: Rounds;
  readonly tabs: Tabs;
  readonly onActivity: (activity: Activity) => void;
}

/** Live changes should miss nothing; this poll is for what a proxy swallows. */
const LIVE_POLL_MS = 15 * 60_000;
/** A person who edits expects the connection to be looked for again, but not at every letter. */
const EDIT_RETRY_MS = 2000;

export function createEngine(options: EngineOptions) {
  const { settings, store, rounds, onActivity } = options;
  let isLeading = false;
  /** A head that was announced during a round, which may or may not have pulled it. */
  let announced: string | null = null;
  const runner = createRoundRunner({
    ...options,
    onBegin() {
      timer.cancel();
      announced = null;
    },
    onEnd(retryAfterSeconds) {
      if (!isLeading) return;
      plan(retryAfterSeconds);
      if (announced !== null && runner.failures() === 0) void onHead(announced);
    },
  });
  const timer = createTimer(settings, () => void runner.sync());
  let live: FollowedChanges | null = null;

  /** Follows the changes of a server that has them, from the first round on. */
  function followLive(): void {
    if (!settings.live || rounds.capabilities()?.hasLiveChanges !== true) return;
    live ??= followChanges({
      ...options,
      onHead: (cursor) => void onHead(cursor),
      onKey(keyId) {
        // A round that is in progress, such as one that has just appended it, finds it itself.
        const isHeld = store.facts().keys.list.at(-1)?.keyId === keyId;
        if (!isHeld && !runner.isRunning()) wake();
      },
      onEnd() {
        if (runner.failures() === 0) plan(null);
      },
    });
  }

  function stopLive(): void {
    live?.stop();
    live = null;
  }

  /** Sets the time of the next round. */
  function plan(retryAfterSeconds: number | null): void {
    timer.cancel();
    const { session, pending } = store.facts();
    if (session !== "signed-in") return stopLive();
    followLive();
    const idleMs = live?.isConnected() === true ? LIVE_POLL_MS : settings.pollMs;
    const regularMs = pending > 0 ? 0 : idleMs;
    const failures = runner.failures();
    const delay =
      failures === 0 ? regularMs : backoffMs(failures, settings.randomBytes, retryAfterSeconds);
    timer.set(delay);
  }

  /** Most heads are those of our own pushes, which the round has pulled already. */
  async function onHead(head: string): Promise<void> {
    announced = head;
    if (runner.isRunning()) return;
    const position = await store.read(readPosition).catch(() => null);
    if (runner.isStopped()) return;
    // What a server asked for is waited for; a connection that is back is used.
    if (runner.failures() > 0 && !runner.isDisconnected()) return;
    if (position?.cursor !== head) wake();
    else if (runner.failures() === 0) plan(null);
  }

  /** Starts the round by a timer, so that edits which follow at once share it. */
  function wake(): void {
    if (canRun()) timer.set(0);
  }

  function canRun(): boolean {
    return isLeading && !runner.isStopped() && store.facts().session === "signed-in";
  }

  return {
    sync: runner.sync,
    between: runner.between,
    isLeading: () => isLeading,
    /** Lets this tab run rounds by itself from now on. */
    lead(): void {
      isLeading = true;
      wake();
    },
    /** Called after an edit. A wait that the server asked for is kept; a connection is soon looked for. */
    onEdit(): void {
      // A round that is in progress pushes the edit, or plans the next round at once.
      if (runner.isRunning() || store.facts().pending === 0) return;
      if (runner.failures() === 0) return wake();
      const isLater = timer.remainingMs() > EDIT_RETRY_MS;
      if (runner.isDisconnected() && isLater && canRun()) timer.set(EDIT_RETRY_MS);
    },
    /** The session or the connection is another one: what failed before may work now. */
    restart(): void {
      runner.forgetFailures();
      // The round comes at once: neither the failure before nor "up to date" would be true until then.
      if (isLeading && !runner.isRunning()) onActivity({ kind: "syncing" });
      rounds.forgetCapabilities();
      stopLive();
      wake();
    },
    /** Resolves when the round that is in progress has ended. */
    stop(): Promise<void> {
      const stopped = runner.stop();
      timer.cancel();
      stopLive();
      return stopped;
    },
  };
}
