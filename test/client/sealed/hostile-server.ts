/** A server that shows whatever a case says, and a device that syncs with it. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import {
  createMemorySyncStorage,
  type EncryptedSyncClient,
  type SyncStorage,
} from "../../../src/client/index.ts";
import type { Operation } from "../../../src/contract/sync/operation.ts";
import { createMemoryKeyStore } from "../../../src/client/encryption/memory-key-store.ts";
import { NO_LIMIT } from "../../../src/client/sync/records.ts";
import { scanOperation } from "../../../src/rules/sync/operation-text.ts";
import { validateOperation } from "../../../src/rules/sync/validate-operation.ts";
import {
  createdKey,
  createSealedWorld,
  createTestEncryption,
  rotatedKey,
  useKey,
} from "../sync/sealed-device.ts";
import { stored, syncNow, type World } from "../sync/world.ts";
import type { BreakEncryption } from "./broken-sealings.ts";

/** Changes the log that a device is shown. */
export type Attack = (log: readonly Operation[]) => readonly object[];

export interface LogServer {
  readonly log: Operation[];
  attack: Attack;
  /** The next pull says that the log is another one, so that the device reads all of it again. */
  isReplaced: boolean;
  /** What devices have pushed. */
  readonly pushed: Operation[];
}

const honest: Attack = (log) => log;

function createLogServer(log: readonly Operation[]): LogServer {
  return { log: [...log], attack: honest, isReplaced: false, pushed: [] };
}

function pull(server: LogServer, cursor: string | null, keyId: unknown): Response {
  const requiresSnapshot = server.isReplaced;
  server.isReplaced = false;
  const shown = server.attack(server.log);
  const { length } = shown;
  const operations = requiresSnapshot ? [] : shown.slice(Number(cursor ?? 0));
  const recoveryReason = requiresSnapshot ? "generation_changed" : null;
  const page = { operations, cursor: String(length), headOffset: length, keyId };
  return Response.json({ ...page, requiresSnapshot, recoveryReason });
}

function push(server: LogServer, body: string): Response {
  const { operations } = JSON.parse(body) as { operations: readonly Operation[] };
  const receipts = operations.map((operation) => {
    const checked = validateOperation(scanOperation(JSON.stringify(operation)), "sealed");
    assert.equal(checked.kind, "valid", JSON.stringify(operation));
    server.pushed.push(operation);
    const duplicate = server.log.some((one) => one.operationId === operation.operationId);
    if (!duplicate) server.log.push(operation);
    return { duplicate };
  });
  return Response.json({ receipts });
}

/** Everything else, such as signing in, reaches the real service. */
function serveLog(world: World, current: () => LogServer): void {
  world.network = async (send, { path, init }) => {
    const { pathname, searchParams } = new URL(path, "http://localhost");
    if (pathname === "/v1/push") return push(current(), String(init.body));
    if (pathname !== "/v1/pull") return send();
    const page = (await (await world.ask("/v1/pull?limit=1", init)).json()) as { keyId?: unknown };
    return pull(current(), searchParams.get("cursor"), page.keyId);
  };
}

export type Scene = Awaited<ReturnType<typeof createScene>>;

/**
 * A phone and a victim, which had synced; then the phone has written `later`, which the victim lacks. The account
 * has replaced its key once.
 */
export async function createScene(t: TestContext, breakEncryption: BreakEncryption = (one) => one) {
  const world = await createSealedWorld(t);
  let server = createLogServer([]);
  serveLog(world, () => server);
  const createKeys = (keyStore = createMemoryKeyStore()) =>
    breakEncryption(createTestEncryption({ keyStore }));
  const join = () => world.join({ encryption: createKeys() });

  const phone = await join();
  await createdKey(phone);
  await stored(phone.create("note/1", { a: 1, b: 1 }, { color: "red" }));
  await stored(phone.create("note/2", { a: 5 }));
  await stored(phone.patch("note/2", { a: 6 }));
  await stored(phone.create("note/3", { a: 7 }));
  await stored(phone.remove("note/3"));
  await syncNow(phone);
  const key = await rotatedKey(phone);
  const keyStore = createMemoryKeyStore();
  const storage = createMemorySyncStorage();
  const victim = await world.join({ storage, encryption: createKeys(keyStore) });
  await useKey(victim, key);
  await syncNow(victim);
  await victim.close();
  const known = server.log.length;
  await stored(phone.patch("note/1", { a: 2 }));
  await stored(phone.create("note/4", { c: 4, d: 5 }));
  await stored(phone.remove("note/2"));
  await stored(phone.restore("note/3"));
  await syncNow(phone);
  const log = [...server.log];

  return {
    world,
    key,
    /** The log of the server at the end. */
    log,
    /** What the victim has not seen yet. */
    later: log.slice(known),
    join,
    /** A server with this log. */
    serve(operations: readonly Operation[] = log): LogServer {
      server = createLogServer(operations);
      return server;
    },
    /** The victim as it was, with a server that has the log and with an edit that waits. */
    async openVictim(): Promise<EncryptedSyncClient> {
      const copiedKeys = createMemoryKeyStore();
      await copiedKeys.write(victim.deviceId, (await keyStore.read(victim.deviceId)) ?? "");
      const client = await world.openSealed({
        storage: await copyStorage(storage),
        encryption: createKeys(copiedKeys),
      });
      await stored(client.patch("note/1", { b: 9 }));
      return client;
    },
  };
}

async function copyStorage(storage: SyncStorage): Promise<SyncStorage> {
  const copy = createMemorySyncStorage();
  const range = { from: "!", below: "~~", limit: NO_LIMIT };
  const records = await storage.transaction("read", (transaction) => transaction.list(range));
  await copy.transaction("write", async (transaction) => {
    for (const [key, value] of records) transaction.put(key, value);
  });
  return copy;
}
