/** Runs the sync client for the conformance kit: a task on standard input, its result on standard output. */
import type { SyncTask } from "../../../conformance/index.ts";
import {
  createMemorySyncStorage,
  createSyncClient,
  type Fetch,
  type StoredRecord,
  type SyncClient,
} from "../../../src/client/index.ts";
import { connectTo } from "./connect.ts";
import { printResult } from "./print-result.ts";

const ALL = { from: "!", below: "~~", limit: Number.MAX_SAFE_INTEGER };

export async function runSync(task: SyncTask, fetch: Fetch = globalThis.fetch): Promise<object> {
  const { baseUrl, redirectUri } = task;
  const storage = createMemorySyncStorage();
  await storage.transaction("write", async (transaction) => {
    for (const record of (task.state ?? []) as StoredRecord[]) transaction.put(...record);
  });
  const live = task.do === "follow";
  const options = { baseUrl, redirectUri, storage, live, tabs: null };
  const client = await createSyncClient({ ...options, fetch: connectTo(task.connectTo, fetch) });
  const result = await runTask(client, task);
  await client.close();
  return { ...result, state: await storage.transaction("read", (one) => one.list(ALL)) };
}

async function runTask(client: SyncClient, task: SyncTask): Promise<object> {
  switch (task.do) {
    case "begin-sign-in": {
      const begun = await client.beginSignIn();
      return begun.kind === "begun" ? { kind: begun.kind, authorizeUrl: begun.url } : begun;
    }
    case "complete-sign-in":
      return { kind: (await client.completeSignIn(task.callbackUrl ?? "")).kind };
    case "sign-out":
      return { kind: (await client.signOut()).kind };
    case "follow": {
      await untilShown(client, task);
      return { kind: "synced", ...show(client) };
    }
    case "sync": {
      const { create, patch, remove, restore } = client;
      const editors = { create, patch, delete: remove, restore };
      for (const { kind, entityId, payload } of task.edits ?? []) {
        await (editors[kind] as typeof restore)(entityId, payload);
      }
      const result = await client.sync();
      return { kind: toKind(result), ...show(client) };
    }
  }
}

function untilShown(client: SyncClient, { entityId = "", seconds = 0 }: SyncTask): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000);
    client.subscribe(() => {
      if (client.entities.get(entityId) === undefined) return;
      clearTimeout(timer);
      resolve();
    });
  });
}

function toKind(result: Awaited<ReturnType<SyncClient["sync"]>>): string {
  if (result.kind === "synced") return result.kind;
  const isSignedOut = ["signed-out", "sign-in-needed"].includes(result.error.kind);
  return isSignedOut ? "sign-in-needed" : "failed";
}

const show = ({ entities, status, quarantine }: SyncClient) => ({
  entities: entities.list().map(({ entityId, payload }) => ({ entityId, payload })),
  pending: status.pending,
  refused: quarantine.list().map(({ operationId }) => operationId),
});

if (import.meta.main) void printResult(runSync);
