/** Decides when a round is due: after an edit, at a new head, now and then, and later after a failure. */
import { backoffMs } from "./backoff.ts";
import { isOffline, syncError } from "./errors.ts";
import { followChanges, type FollowedChanges } from "./live-changes.ts";
import type { LocalStore } from "./local-store.ts";
import { readPosition } from "./records.ts";
import type { SyncResult } from "./results.ts";
import type { Rounds } from "./round.ts";
import type { SyncSettings } from "./settings.ts";
import type { Activity, Tabs } from "./tabs.ts";
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

const CLOSED: SyncResult = { kind: "not-synced", error: syncError("closed") };

export function createEngine(options: EngineOptions) {
  const { settings, store, tokens, rounds, tabs, onActivity } = options;
  let isLeading = false;
  let isStopped = false;
  let failures = 0;
  let isDisconnected = false;
  let cancelTimer = () => {};
  let dueAt = 0;
  let live: FollowedChanges | null = null;
  let waiting: Promise<SyncResult> | null = null;
  let running: Promise<unknown> | null = null;
  /** A head that was announced during a round, which may or may not have pulled it. */
  let announced: string | null = null;

  /** Runs a round now; calls before it begins share it. */
  function sync(): Promise<SyncResult> {
    // A lock may be given at once, so that the round begins before it is known as waiting.
    waiting ??= Promise.resolve()
      .then(() => tabs.exclusive("round", beginRound))
      .catch(() => CLOSED);
    return waiting;
  }

  function beginRound(): Promise<SyncResult> {
    waiting = null;
    const round = runRound();
    running = round;
    return round;
  }

  async function runRound(): Promise<SyncResult> {
    if (isStopped) return CLOSED;
    cancelTimer();
    announced = null;
    onActivity({ kind: "syncing" });
    const result = await rounds.run();
    running = null;
    failures = result.kind === "synced" ? 0 : failures + 1;
    isDisconnected = result.kind === "failed" && isOffline(result.error);
    // A tab that is closed during its round leaves no failure to the others.
    const isFailed = result.kind === "failed" && !isStopped;
    onActivity(isFailed ? { kind: "failed", error: result.error } : { kind: "idle" });
    if (isLeading && !isStopped) {
      plan(result.kind === "synced" ? null : result.retryAfterSeconds);
      if (announced !== null && failures === 0) void onHead(announced);
    }
    return result.kind === "synced" ? result : { kind: "not-synced", error: result.error };
  }

  /** Sets the time of the next round. */
  function plan(retryAfterSeconds: number | null): void {
    cancelTimer();
    const { session, pending } = store.facts();
    if (session !== "signed-in") return stopLive();
    followLive();
    const idleMs = live?.isConnected() === true ? LIVE_POLL_MS : settings.pollMs;
    const regularMs = pending > 0 ? 0 : idleMs;
    const delay =
      failures === 0 ? regularMs : backoffMs(failures, settings.randomBytes, retryAfterSeconds);
    schedule(delay);
  }

  function schedule(delay: number): void {
    cancelTimer();
    dueAt = settings.now() + delay;
    cancelTimer = settings.setTimer(() => void sync(), delay);
  }

  function followLive(): void {
    if (!settings.live || live !== null) return;
    if (rounds.capabilities()?.hasLiveChanges !== true) return;
    live = followChanges({
      settings,
      tokens,
      onHead: (cursor) => void onHead(cursor),
      onEnd: () => {
        if (failures === 0) plan(null);
      },
    });
  }

  /** Most heads are those of our own pushes, which the round has pulled already. */
  async function onHead(head: string): Promise<void> {
    announced = head;
    if (running !== null) return;
    const position = await store.read(readPosition).catch(() => null);
    if (isStopped) return;
    // What a server asked for is waited for; a connection that is back is used.
    if (failures > 0 && !isDisconnected) return;
    if (position?.cursor !== head) wake();
    else if (failures === 0) plan(null);
  }

  function stopLive(): void {
    live?.stop();
    live = null;
  }

  /** Starts the round by a timer, so that edits which follow at once share it. */
  function wake(): void {
    if (canRun()) schedule(0);
  }

  function canRun(): boolean {
    return isLeading && !isStopped && store.facts().session === "signed-in";
  }

  return {
    sync,
    /** Lets this tab run rounds by itself from now on. */
    lead(): void {
      isLeading = true;
      wake();
    },
    /** Called after an edit. A wait that the server asked for is kept; a connection is soon looked for. */
    onEdit(): void {
      // A round that is in progress pushes the edit, or plans the next round at once.
      if (running !== null || store.facts().pending === 0) return;
      if (failures === 0) return wake();
      const isLater = dueAt - settings.now() > EDIT_RETRY_MS;
      if (isDisconnected && isLater && canRun()) schedule(EDIT_RETRY_MS);
    },
    /** The session or the connection is another one: what failed before may work now. */
    restart(): void {
      failures = 0;
      // The round comes at once: neither the failure before nor "up to date" would be true until then.
      if (isLeading && running === null) onActivity({ kind: "syncing" });
      rounds.forgetCapabilities();
      stopLive();
      wake();
    },
    /** Resolves when the round that is in progress has ended. */
    async stop(): Promise<void> {
      isStopped = true;
      cancelTimer();
      stopLive();
      await running;
    },
  };
}
