/** A transaction of the storage that knows the records, and keeps the count of the queue true. */
import type { Revision } from "../../contract/sync/operation.ts";
import type { LogClock } from "../../rules/sync/log-clock.ts";
import type { ParsedOperation } from "../../rules/sync/operation-text.ts";
import { keptOperationsToText, parseKeptOperations, type KeptOperations } from "./entity-record.ts";
import {
  entityKey,
  PENDING_PREFIX,
  pendingKey,
  prefixRange,
  quarantineKey,
  readRecord,
  type DeviceRecord,
  type QuarantineRecord,
} from "./records.ts";
import type { KeyRange, StorageTransaction } from "./storage.ts";

export type LocalTransaction = ReturnType<typeof createLocalTransaction>["transaction"];

export function createLocalTransaction(storage: StorageTransaction, before: DeviceRecord) {
  let device = before;
  const knownKept = new Map<string, KeptOperations>();
  /** The entities that were written, with what is kept of them now. */
  const changedKept = new Map<string, KeptOperations>();
  const keys = new Set<string>();

  const put = (key: string, value: string) => {
    keys.add(key);
    storage.put(key, value);
  };
  const remove = (key: string) => {
    keys.add(key);
    storage.delete(key);
  };

  const transaction = {
    deviceId: before.deviceId,
    get: (key: string) => storage.get(key),
    list: (range: KeyRange) => storage.list(range),
    put,
    delete: remove,
    /** What this device knows of the log, which holds its next operation within a step. */
    clock: (): LogClock => ({ greatestSequence: device.sequence, takesAnySequence: false }),
    /** The next revision of the clock, which does not move yet. */
    nextRevision: (): Revision => ({
      deviceId: device.deviceId,
      sequence: device.sequence + 1,
    }),
    /** Sets the clock back to a sequence, because the server refuses to follow it. */
    setClock(sequence: number): void {
      device = { ...device, sequence };
    },
    /** Moves the clock up to a sequence that this device or another one used. */
    observe(sequence: number): void {
      if (sequence > device.sequence) device = { ...device, sequence };
    },
    async readKept(entityId: string): Promise<KeptOperations> {
      const known = knownKept.get(entityId);
      if (known !== undefined) return known;
      const kept = parseKeptOperations(await storage.get(entityKey(entityId)));
      knownKept.set(entityId, kept);
      return kept;
    },
    writeKept(entityId: string, kept: KeptOperations): void {
      knownKept.set(entityId, kept);
      changedKept.set(entityId, kept);
      if (kept.length === 0) remove(entityKey(entityId));
      else put(entityKey(entityId), keptOperationsToText(kept));
    },
    async enqueue({ revision, text }: ParsedOperation): Promise<void> {
      const key = pendingKey(revision);
      const isQueued = (await storage.get(key)) !== undefined;
      if (!isQueued) device = { ...device, pending: device.pending + 1 };
      put(key, text);
    },
    /** Takes an operation out of the queue, and returns its text; undefined when it is not in it. */
    async dequeue(revision: Revision): Promise<string | undefined> {
      const key = pendingKey(revision);
      const text = await storage.get(key);
      if (text === undefined) return undefined;
      device = { ...device, pending: Math.max(0, device.pending - 1) };
      remove(key);
      return text;
    },
    /** Corrects a count of the queue that is not true: it would be waited for in vain. */
    async noteEmptyQueue(): Promise<void> {
      const [first] = await storage.list(prefixRange(PENDING_PREFIX, 1));
      if (first === undefined && device.pending !== 0) device = { ...device, pending: 0 };
    },
    addToQuarantine: (record: QuarantineRecord) =>
      put(quarantineKey(record.operationId), JSON.stringify(record)),
    async takeFromQuarantine(operationId: string): Promise<QuarantineRecord | undefined> {
      const key = quarantineKey(operationId);
      const record = await readRecord<QuarantineRecord>(storage, key);
      if (record !== undefined) remove(key);
      return record;
    },
  };
  return { transaction, changes: () => ({ device, kept: changedKept, keys }) };
}
