/** Clients with one defect each. The simulation must notice every one. */
import {
  type CollectionResult,
  type SyncClientOptions,
  type SyncStorage,
} from "../../../src/client/index.ts";
import { compareRevisions } from "../../../src/rules/sync/operation.ts";
import type { Operation } from "../../../src/contract/sync/operation.ts";
import { PAGE_HEADER } from "../../../src/contract/sync/page-header.ts";
import {
  mergeStored,
  parseStoredOperations,
  storedOperationsToText,
} from "../../../src/client/sync/entity-record.ts";
import {
  DEVICE_KEY,
  ENTITY_PREFIX,
  NO_LIMIT,
  PENDING_PREFIX,
  POSITION_KEY,
  prefixRange,
  readPending,
  readRecord,
  SENT_PREFIX,
  writeRecord,
  type DeviceRecord,
} from "../../../src/client/sync/records.ts";
import type { StorageTransaction } from "../../../src/client/sync/storage.ts";
import { BROKEN_SEALINGS, type BreakEncryption } from "../sealed/broken-sealings.ts";
import { toCents } from "./bills.ts";
import type { BreakClient } from "./break-client.ts";
import type { Fetch } from "./network.ts";

type Work<T> = (transaction: StorageTransaction) => Promise<T>;

/** Shows bills by the values alone. */
function withBills(show: (own: unknown, older: unknown) => unknown): BreakClient {
  return (options) => ({
    ...options,
    breakBills(bills, client) {
      const list = () =>
        client.entities.list("bill").map(({ entityId, payload: { euros, who, ...payload } }) => {
          const older = typeof euros === "number" ? toCents(euros) : undefined;
          const values = {
            cents: show(payload["cents"], older),
            payee: show(payload["payee"], who),
          };
          const shown = Object.entries({ ...payload, ...values, id: entityId.slice(5) });
          return Object.fromEntries(shown.filter(([, value]) => value !== undefined));
        });
      Object.assign(bills, { list });
    },
  });
}

/** Runs once, before the first transaction of a process that follows a killed one. */
function afterKill(repair: Work<void>): BreakClient {
  return (options, { wasKilled }) => {
    const { storage } = options;
    let isDue = wasKilled;
    return {
      ...options,
      storage: {
        ...storage,
        async transaction(mode, work) {
          const runsNow = isDue;
          isDue = false;
          if (runsNow) await storage.transaction("write", repair);
          return storage.transaction(mode, work);
        },
      },
    };
  };
}

function withStorage(change: (storage: SyncStorage) => SyncStorage["transaction"]): BreakClient {
  return (options) => ({
    ...options,
    storage: { ...options.storage, transaction: change(options.storage) },
  });
}

function withFetch(change: (fetch: Fetch, options: SyncClientOptions) => Fetch): BreakClient {
  return (options) => {
    const { fetch } = options;
    return fetch === undefined ? options : { ...options, fetch: change(fetch, options) };
  };
}

interface Push {
  readonly operations: readonly Operation[];
}

function readPush(init: RequestInit): Push {
  return JSON.parse(String(init.body)) as Push;
}

function withOperations(init: RequestInit, operations: readonly Operation[]): RequestInit {
  return { ...init, body: JSON.stringify({ operations }) };
}

function receiptsFor({ operations }: Push): Response {
  return Response.json({ receipts: operations.map(() => ({ duplicate: false })) });
}

/** Runs the work with writes that are collected, not written. */
async function collectWrites<T>(transaction: StorageTransaction, work: Work<T>) {
  const writes: [key: string, value: string | null][] = [];
  const latest = new Map<string, string | null>();
  const note = (key: string, value: string | null) => {
    writes.push([key, value]);
    latest.set(key, value);
  };
  const result = await work({
    get: async (key) => {
      const written = latest.get(key);
      return written === undefined ? transaction.get(key) : (written ?? undefined);
    },
    async list(range) {
      const found = new Map(await transaction.list({ ...range, limit: NO_LIMIT }));
      for (const [key, value] of latest) {
        if (value === null) found.delete(key);
        else if (key >= range.from && key < range.below) found.set(key, value);
      }
      const sorted = [...found].sort(([one], [other]) => (one < other ? -1 : 1));
      return sorted.slice(0, range.limit);
    },
    put: (key, value) => note(key, value),
    delete: (key) => note(key, null),
  });
  return { result, writes };
}

function write(transaction: StorageTransaction, key: string, value: string | null): void {
  if (value === null) transaction.delete(key);
  else transaction.put(key, value);
}

/** The record of an entity without the operations that are older than its last create, delete or restore. */
function fromLastLife(text: string): string {
  const stored = parseStoredOperations(text);
  const lifecycle = mergeStored(stored)?.lifecycleRevision ?? null;
  const isKept = ({ revision }: Pick<Operation, "revision">) =>
    lifecycle === null || compareRevisions(revision, lifecycle) >= 0;
  return storedOperationsToText(stored.filter(({ operation }) => isKept(operation)));
}

export const BROKEN_CLIENTS: Readonly<Record<string, BreakClient>> = {
  "forgets an operation of the queue when it was killed": afterKill(async (transaction) => {
    const [first] = await transaction.list(prefixRange(PENDING_PREFIX, 1));
    const device = await readRecord<DeviceRecord>(transaction, DEVICE_KEY);
    if (first === undefined || device === undefined) return;
    transaction.delete(first[0]);
    writeRecord(transaction, DEVICE_KEY, { ...device, pending: device.pending - 1 });
  }),

  "sets its clock back when it was killed": afterKill(async (transaction) => {
    const device = await readRecord<DeviceRecord>(transaction, DEVICE_KEY);
    if (device === undefined || device.sequence === 0) return;
    writeRecord(transaction, DEVICE_KEY, { ...device, sequence: device.sequence - 1 });
  }),

  "stores the cursor before the page": withStorage((storage) => async (mode, work) => {
    if (mode === "read") return storage.transaction(mode, work);
    const { result, writes } = await storage.transaction("write", async (transaction) => {
      const collected = await collectWrites(transaction, work);
      const isPage = collected.writes.some(([key]) => key === POSITION_KEY);
      const isNow = (key: string) => !isPage || key === POSITION_KEY;
      for (const [key, value] of collected.writes) if (isNow(key)) write(transaction, key, value);
      return { ...collected, writes: collected.writes.filter(([key]) => !isNow(key)) };
    });
    if (writes.length > 0) {
      await storage.transaction("write", async (transaction) => {
        for (const [key, value] of writes) write(transaction, key, value);
      });
    }
    return result;
  }),

  "says that an edit is stored before it is": (options, { pause }) => {
    const { storage } = options;
    return {
      ...options,
      storage: {
        ...storage,
        transaction: (mode, work) =>
          new Promise((resolve, reject) => {
            storage
              .transaction(mode, async (transaction) => {
                const result = await work(transaction);
                resolve(result);
                await pause();
                return result;
              })
              .catch(reject);
          }),
      },
    };
  },

  "sends an operation again under a new id": withFetch((fetch) => {
    const sent = new Set<string>();
    return (url, init) => {
      if (!url.endsWith("/v1/push")) return fetch(url, init);
      const operations = readPush(init).operations.map((operation) => {
        if (!sent.has(operation.operationId)) {
          sent.add(operation.operationId);
          return operation;
        }
        const { deviceId, sequence } = operation.revision;
        const revision = { deviceId, sequence: sequence + 1000 };
        return { ...operation, operationId: `operation/${deviceId}/${sequence + 1000}`, revision };
      });
      return fetch(url, withOperations(init, operations));
    };
  }),

  "pushes only its own operations after a recovery": (options, context) => {
    const { fetch } = options;
    const isOwn = ({ revision }: Operation) =>
      revision.deviceId.startsWith(`${context.deviceName}-`);
    return {
      ...options,
      fetch: async (url, init) => {
        if (fetch === undefined) throw new Error("The simulation has no network");
        if (!url.endsWith("/v1/push")) return fetch(url, init);
        const push = readPush(init);
        const own = push.operations.filter(isOwn);
        const response = own.length === 0 ? null : await fetch(url, withOperations(init, own));
        return response === null || response.status === 200 ? receiptsFor(push) : response;
      },
    };
  },

  "goes on from its cursor although the log is another one": withFetch(
    (fetch) => async (url, init) => {
      const response = await fetch(url, init);
      if (!url.includes("/v1/pull") || response.status !== 200) return response;
      const text = await response.text();
      const isPage = text.includes('"requiresSnapshot":true');
      const page = isPage ? (JSON.parse(text) as object) : null;
      const body = page === null ? text : JSON.stringify({ ...page, requiresSnapshot: false });
      return new Response(body, { status: 200, headers: response.headers });
    },
  ),

  "takes a failed push for a receipt, and believes it": (options) => {
    const { fetch, storage } = options;
    return {
      ...options,
      storage: {
        ...storage,
        transaction: (mode, work) =>
          storage.transaction(mode, (transaction) =>
            work({
              ...transaction,
              put: (key, value) =>
                void (key.startsWith(SENT_PREFIX) || transaction.put(key, value)),
            }),
          ),
      },
      fetch: async (url, init) => {
        if (fetch === undefined) throw new Error("The simulation has no network");
        if (!url.endsWith("/v1/push")) return fetch(url, init);
        const response = await fetch(url, init).catch((error: unknown) => {
          if (init.signal?.aborted === true) throw error;
          return receiptsFor(readPush(init));
        });
        return response.status < 429 ? response : receiptsFor(readPush(init));
      },
    };
  },

  "moves its cursor over what another device pushed between two receipts": withFetch((fetch) => {
    let offset = 0;
    return async (url, init) => {
      const response = await fetch(url, init);
      const isPush = url.endsWith("/v1/push");
      if (response.status !== 200 || !(isPush || url.includes("/v1/pull"))) return response;
      const text = await response.text();
      const copy = new Response(text, { status: 200, headers: response.headers });
      // A hotel's page is no JSON.
      if (!text.startsWith("{")) return copy;
      const { headOffset, receipts } = JSON.parse(text) as {
        headOffset?: number;
        receipts?: readonly object[];
      };
      offset = headOffset ?? offset;
      const follow = (receipt: object) => ({ ...receipt, offset: ++offset });
      return receipts === undefined ? copy : Response.json({ receipts: receipts.map(follow) });
    };
  }),

  "shows what has come of a push": withFetch((fetch) => async (url, init) => {
    const response = await fetch(url, init);
    if (!url.includes("/v1/pull")) return response;
    const headers = new Headers(response.headers);
    headers.delete(PAGE_HEADER);
    return new Response(response.body, { status: response.status, headers });
  }),

  "sets the wrong operation aside": withFetch((fetch) => async (url, init) => {
    const response = await fetch(url, init);
    const refused = response.headers.get("Trellis-Refused");
    if (refused === null) return response;
    const { length } = readPush(init).operations;
    const shifted = refused.replace(/\d+(?==)/g, (index) => String((Number(index) + 1) % length));
    const headers = { "Trellis-Refused": shifted };
    return new Response(await response.text(), { status: response.status, headers });
  }),

  "does not see what was deleted elsewhere": withFetch((fetch) => async (url, init) => {
    const response = await fetch(url, init);
    if (!url.includes("/v1/pull") || response.status !== 200) return response;
    const text = await response.text();
    if (!text.includes('"kind":"delete"')) return new Response(text, { status: 200 });
    const page = JSON.parse(text) as Push;
    const operations = page.operations.filter(({ kind }) => kind !== "delete");
    return Response.json({ ...page, operations });
  }),

  "forgets the fields of the other create": withStorage(
    (storage) => (mode, work) =>
      storage.transaction(mode, (transaction) =>
        work({
          ...transaction,
          put: (key, value) =>
            transaction.put(key, key.startsWith(ENTITY_PREFIX) ? fromLastLife(value) : value),
        }),
      ),
  ),

  "counts for all devices in one field": (options) => ({
    ...options,
    breakTasks(tasks, client) {
      const increment = async (id: string, field: "spent", by = 1): Promise<CollectionResult> => {
        const count = tasks.get(id)?.[field] ?? 0;
        const result = await client.patch(`task/${id}`, { [field]: count + by });
        return result.kind === "stored" ? { ...result, id } : result;
      };
      Object.assign(tasks, { increment });
    },
  }),

  "queues the last edit of a transaction after the others": withStorage(
    (storage) => async (mode, work) => {
      const joined: [key: string, value: string][] = [];
      const result = await storage.transaction(mode, async (transaction) => {
        const value = await work({
          ...transaction,
          put(key, text) {
            const isJoined = key.startsWith(PENDING_PREFIX) && readPending(text).span !== null;
            if (isJoined) joined.push([key, text]);
            transaction.put(key, text);
          },
        });
        for (const [key] of joined.slice(-1)) transaction.delete(key);
        return value;
      });
      for (const [key, text] of joined.slice(-1)) {
        await storage.transaction("write", async (transaction) => transaction.put(key, text));
      }
      return result;
    },
  ),

  "forgets every third change of a list": (options) => ({
    ...options,
    breakTasks(tasks) {
      const { list } = tasks;
      let shown = list();
      let changes = 0;
      tasks.subscribe(() => {
        if (++changes % 3 !== 0) shown = list();
      });
      const listAll: typeof list = (query) => (query === undefined ? shown : list(query));
      Object.assign(tasks, { list: listAll });
    },
  }),

  "shows the own value of a field although an older one was written later": withBills(
    (own, older) => own ?? older,
  ),

  "reads older fields without a look at when they were written": withBills(
    (own, older) => older ?? own,
  ),

  "reads the field of a create from what it writes for older apps": (options) => ({
    ...options,
    breakBills(bills) {
      const { create } = bills;
      const createRead: typeof create = (given, { id }) => {
        const { cents } = given as { cents?: number };
        const read = cents === undefined ? {} : { cents: toCents(Math.floor(cents / 100)) };
        return create({ ...given, ...read }, { id });
      };
      Object.assign(bills, { create: createRead });
    },
  }),

  "puts its token into an address": withFetch((fetch) => (url, init) => {
    const token = new Headers(init.headers).get("Authorization")?.slice("Bearer ".length);
    if (token === undefined || !url.includes("/v1/pull")) return fetch(url, init);
    return fetch(`${url}&access_token=${token}`, init);
  }),
};

const withEncryption =
  (change: BreakEncryption): BreakClient =>
  ({ encryption, ...options }) => ({
    ...options,
    ...(encryption && { encryption: change(encryption) }),
  });

/** Clients that encrypt. What only a hostile server shows is in `../sealed/hostile.test.ts`. */
export const BROKEN_SEALED_CLIENTS: Readonly<Record<string, BreakClient>> = Object.fromEntries(
  Object.entries(BROKEN_SEALINGS).map(([name, change]) => [name, withEncryption(change)]),
);
