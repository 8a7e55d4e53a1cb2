/** One round: everything that the server has comes here, and everything that it lacks goes there. */
import { DAY_MS } from "../../contract/durations.ts";
import type { RecoveryReason } from "../../contract/sync/values.ts";
import type { ClientKeys } from "./client-keys.ts";
import { storageError, storageLost, syncError } from "./errors.ts";
import type { LocalStore } from "./local-store.ts";
import { pullToEnd, type PullContext } from "./pull.ts";
import { pushQueue, type PushOrder } from "./push.ts";
import { changePosition, readPosition, toStart } from "./records.ts";
import { queueMissing } from "./recovery.ts";
import { createPulledPages } from "./request-page.ts";
import { failure, isOtherKey, type RequestFailure } from "./request.ts";
import type { SyncResult } from "./results.ts";
import type { SyncSettings } from "./settings.ts";
import type { Tokens } from "./tokens.ts";
import { fetchCapabilities, type ServerCapabilities } from "./transfer-limits.ts";
import type { HeldPart } from "./whole-pushes.ts";

export type RoundResult = Extract<SyncResult, { kind: "synced" }> | RequestFailure;

export type Rounds = ReturnType<typeof createRounds>;

/** A server that loses what it acknowledged more often than this in one round is given time. */
const MAX_LOSSES = 3;
/** So often a round begins again because the account's key is another one. */
const MAX_KEY_MOVES = 3;

export function createRounds(
  settings: SyncSettings,
  store: LocalStore,
  tokens: Tokens,
  keys: ClientKeys | null,
  signal: AbortSignal,
) {
  let capabilities: ServerCapabilities | null = null;
  let isStarted = false;
  const held: HeldPart = { current: null };

  async function findCapabilities(): Promise<ServerCapabilities | RequestFailure> {
    if (capabilities !== null) return capabilities;
    const fetched = await fetchCapabilities(settings, signal);
    if (fetched.kind === "failed") return fetched;
    capabilities = fetched;
    return fetched;
  }

  /** Reads everything again once, when there is something that the device could not read. */
  async function startOverOnce(): Promise<void> {
    if (isStarted || keys === null) return;
    isStarted = true;
    if (store.unreadable().length === 0) return;
    const now = settings.now();
    await store.write(async (transaction) => {
      const position = await readPosition(transaction);
      if (Math.abs(now - (position.startedOverAt ?? 0)) < DAY_MS) return;
      await changePosition(transaction, { ...toStart(position), startedOverAt: now });
    });
  }

  /** Finds out whether this device and the server can sync at all. */
  async function prepare(): Promise<RoundContext | RequestFailure> {
    const { session, lost } = store.facts();
    if (lost !== null) return failure(storageLost(lost));
    if (session !== "signed-in") return failure(syncError(session));
    let isConfirmed = capabilities === null;
    const server = await findCapabilities();
    if (server.kind === "failed") return server;
    const confirmServer = async () => {
      if (isConfirmed) return null;
      capabilities = null;
      const found = await findCapabilities();
      isConfirmed = found.kind !== "failed";
      return found.kind === "failed" ? found : null;
    };
    const { limits } = server;
    return { kind: "context", settings, store, tokens, limits, held, confirmServer, keys, signal };
  }

  async function run(): Promise<RoundResult> {
    const context = await prepare();
    if (context.kind === "failed") return context;
    for (let moves = 0; ; moves++) {
      const unkeyed = keys && (await keys.begin(context));
      if (unkeyed !== null) return unkeyed;
      await startOverOnce();
      const moved = await pullAndPush(context);
      if (moved.kind === "synced") {
        const syncedAt = settings.now();
        await store.write((transaction) => changePosition(transaction, { syncedAt }));
        return moved;
      }
      if (keys === null || !isOtherKey(moved)) return moved;
      keys.forget();
      if (moves === MAX_KEY_MOVES) return failure(syncError("unstable-log"));
    }
  }

  /**
   * Catches up before and after the round: another tab may have written without telling, having no channel or
   * being killed then; or a write of our own was durable although the storage said that it failed.
   */
  async function runUpToDate(): Promise<RoundResult> {
    await store.catchUp();
    await keys?.takeOver(store);
    const result = await run();
    await store.catchUp();
    return result;
  }

  return {
    async run(): Promise<RoundResult> {
      const result = await runUpToDate().catch((cause: unknown) => failure(storageError(cause)));
      // The limits of the server may have changed, or a proxy that is gone again has lowered ours.
      if (result.kind === "failed" && result.status >= 400 && result.status < 500) {
        capabilities = null;
      }
      return result;
    },
    prepare,
    /** Null before the first response of the server. */
    capabilities: (): ServerCapabilities | null => capabilities,
    /** The server may be another one, or may have changed. */
    forgetCapabilities(): void {
      capabilities = null;
      keys?.forget();
    },
  };
}

export interface RoundContext extends PullContext, Pick<PushOrder, "confirmServer"> {
  readonly kind: "context";
  /** Null for an app without encryption. */
  readonly keys: ClientKeys | null;
}

async function pullAndPush(context: RoundContext): Promise<RoundResult> {
  const { settings, store, tokens, limits, confirmServer, keys, signal } = context;
  let [pushed, pulled, quarantined, losses] = [0, 0, 0, 0];
  let recovered: RecoveryReason | null = null;
  const pages = createPulledPages();
  for (;;) {
    // A pull comes before the first push, because only a cursor can tell that the log is another one.
    const keyIdOf = keys && (() => keys.keyId(store.facts().keys));
    const pull = await pullToEnd(context, pages, keyIdOf);
    if (pull.kind === "failed") return pull;
    pulled += pull.operations;
    recovered ??= pull.recovered;
    const missing = await queueMissing(store);
    if (missing > 0 && ++losses > MAX_LOSSES) return failure(syncError("unstable-log"));
    const proof = keys && { proof: () => ({ keyProof: keys.proof(store.facts().keys) }) };
    const order = { greatestFirst: missing > 0, now: settings.now, confirmServer, ...proof };
    const push = await pushQueue(store, tokens, limits, order, signal);
    if (push.kind === "failed") return push;
    if (push.operations + push.quarantined === 0) break;
    pushed += push.operations;
    quarantined += push.quarantined;
  }
  return { kind: "synced", pushed, pulled, quarantined, recovered };
}
