/** Reads the log of the server to its end, page by page. */
import type { RecoveryReason } from "../../contract/sync/values.ts";
import { syncError } from "./errors.ts";
import type { LocalStore } from "./local-store.ts";
import { mergePage, readPlace } from "./merge-page.ts";
import { startOver } from "./recovery.ts";
import { failure, otherKey, type RequestFailure } from "./request.ts";
import type { PageContext, PulledPages } from "./request-page.ts";
import { requestWhole, type HeldPart } from "./whole-pushes.ts";

export interface PullReport {
  readonly kind: "pulled";
  readonly operations: number;
  readonly recovered: RecoveryReason | null;
}

/** The restarts within one pull; a server whose log is replaced more often than that is given time. */
const MAX_RESTARTS = 3;

export interface PullContext extends PageContext {
  readonly store: LocalStore;
  readonly held: HeldPart;
}

export async function pullToEnd(
  context: PullContext,
  pages: PulledPages,
  /** The id of the account's key, as the device knows it; null without encryption. */
  keyIdOf: (() => string | null) | null,
): Promise<PullReport | RequestFailure> {
  const { store } = context;
  let operations = 0;
  let restarts = 0;
  let recovered: RecoveryReason | null = null;
  for (;;) {
    const place = await store.read(readPlace);
    const page = await requestWhole(context, pages, place);
    if (page.kind === "failed") return page;
    // Of an account whose key is another one by now, nothing is used.
    if (keyIdOf !== null && page.keyId !== undefined && page.keyId !== keyIdOf()) return otherKey();
    if (page.kind === "lost-history") {
      if (++restarts > MAX_RESTARTS) return failure(syncError("unstable-log"));
      recovered = page.reason;
      await store.write((transaction) => startOver(transaction, place));
      continue;
    }
    const isMerged = await store.write((transaction) => mergePage(transaction, place, page));
    if (!isMerged) continue;
    operations += page.operations.length;
    if (!page.hasMore) return { kind: "pulled", operations, recovered };
  }
}
