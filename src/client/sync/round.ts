/** One round: everything that the server has comes here, and everything that it lacks goes there. */
import type { RecoveryReason } from "../../contract/sync/values.ts";
import type { ClientKeys } from "./client-keys.ts";
import { storageError, syncError } from "./errors.ts";
import type { LocalStore } from "./local-store.ts";
import { createPulledPages, pullToEnd, type PullContext } from "./pull.ts";
import { pushQueue, type PushOrder } from "./push.ts";
import { changePosition, notePushLimits } from "./records.ts";
import { queueMissing } from "./recovery.ts";
import { failure, type RequestFailure } from "./request.ts";
import type { SyncResult } from "./results.ts";
import type { SyncSettings } from "./settings.ts";
import type { Tokens } from "./tokens.ts";
import { fetchCapabilities, type ServerCapabilities } from "./transfer-limits.ts";

export type RoundResult = Extract<SyncResult, { kind: "synced" }> | RequestFailure;

export type Rounds = ReturnType<typeof createRounds>;

/** A server that loses what it acknowledged more often than this in one round is given time. */
const MAX_LOSSES = 3;

export function createRounds(
  settings: SyncSettings,
  store: LocalStore,
  tokens: Tokens,
  keys: ClientKeys | null,
  signal: AbortSignal,
) {
  let capabilities: ServerCapabilities | null = null;

  async function findCapabilities(): Promise<ServerCapabilities | RequestFailure> {
    if (capabilities !== null) return capabilities;
    const fetched = await fetchCapabilities(settings, signal);
    if (fetched.kind === "failed") return fetched;
    capabilities = fetched;
    const { pushOperations, pushBytes } = fetched.limits;
    await store.write((transaction) => notePushLimits(transaction, { pushOperations, pushBytes }));
    return fetched;
  }

  /** Finds out whether this device and the server can sync at all. */
  async function prepare(): Promise<RoundContext | RequestFailure> {
    const { session, lost } = store.facts();
    if (lost) return failure(syncError("storage-lost"));
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
    return { kind: "context", settings, store, tokens, limits, confirmServer, keys, signal };
  }

  async function run(): Promise<RoundResult> {
    const context = await prepare();
    if (context.kind === "failed") return context;
    const unkeyed = keys && (await keys.confirm(context));
    if (unkeyed !== null) return unkeyed;
    const moved = await pullAndPush(context);
    if (moved.kind === "failed") return moved;
    await store.write((transaction) => changePosition(transaction, { syncedAt: settings.now() }));
    return moved;
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
    const pull = await pullToEnd(context, pages, keys && keys.review);
    if (pull.kind === "failed") return pull;
    pulled += pull.operations;
    recovered ??= pull.recovered;
    const missing = await queueMissing(store);
    if (missing > 0 && ++losses > MAX_LOSSES) return failure(syncError("unstable-log"));
    const order = { greatestFirst: missing > 0, now: settings.now, confirmServer };
    const push = await pushQueue(store, tokens, limits, order, signal);
    if (push.kind === "failed") return push;
    if (push.operations + push.quarantined === 0) break;
    pushed += push.operations;
    quarantined += push.quarantined;
  }
  return { kind: "synced", pushed, pulled, quarantined, recovered };
}
