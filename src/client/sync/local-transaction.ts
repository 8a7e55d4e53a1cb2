/** A transaction of the storage that knows the records, and keeps the count of the queue true. */
import { MAX_CLOCK_STEP } from "../../contract/sync/operation-limits.ts";
import type { Revision } from "../../contract/sync/operation.ts";
import type { LogClock } from "../../rules/sync/log-clock.ts";
import type { ParsedOperation } from "../../rules/sync/operation-text.ts";
import {
  storedOperationsToText,
  parseStoredOperations,
  type StoredOperations,
} from "./entity-record.ts";
import {
  entityKey,
  NO_LIMIT,
  PENDING_PREFIX,
  pendingKey,
  prefixRange,
  QUARANTINE_PREFIX,
  quarantineKey,
  readPending,
  readRecord,
  toPendingValue,
  type DeviceRecord,
  type PendingRecord,
  type QuarantineRecord,
  type TransactionSpan,
  type Unindexed,
} from "./records.ts";
import type { RecordForm } from "./record-form.ts";
import type { KeyRange, StorageTransaction } from "./storage.ts";

export type LocalTransaction = ReturnType<typeof createLocalTransaction>["transaction"];

export function createLocalTransaction(
  storage: StorageTransaction,
  before: DeviceRecord,
  form: RecordForm,
) {
  const keys = new Set<string>();
  const records = {
    get: (key: string) => storage.get(key),
    list: (range: KeyRange) => storage.list(range),
    put(key: string, value: string): void {
      keys.add(key);
      storage.put(key, value);
    },
    delete(key: string): void {
      keys.add(key);
      storage.delete(key);
    },
  };
  const device: Counters & DeviceRecord = { ...before };
  /** The records whose entities may be other ones now, with what is stored of them. */
  const changed = new Map<string, StoredOperations>();
  const transaction = {
    deviceId: before.deviceId,
    lastWrite: before.writes,
    form,
    ...records,
    ...useClock(device),
    ...useEntities(records, changed),
    ...useQueue(records, device),
    /** The id of the key that seals; null while none does. */
    keyId: () => device.keyId ?? null,
    setKeyId(keyId: string | null): void {
      device.keyId = keyId;
    },
    /** Notes that indexes of these names and this number of pages of entities were stored. */
    noteIndexes(names: readonly string[], pages: number): void {
      device.indexes = { names, pages, writes: before.writes, recordIds: [] };
    },
    addToQuarantine: (record: QuarantineRecord) =>
      records.put(quarantineKey(record.operationId), JSON.stringify(record)),
    /** Takes the operation and those of its transaction; none when it is not in quarantine. */
    async takeFromQuarantine(operationId: string): Promise<readonly QuarantineRecord[]> {
      const named = await readRecord<QuarantineRecord>(storage, quarantineKey(operationId));
      if (named === undefined) return [];
      const { transaction: joined } = named;
      const all = await records.list(prefixRange(QUARANTINE_PREFIX, NO_LIMIT));
      const taken = all
        .map(([, text]) => JSON.parse(text) as QuarantineRecord)
        .filter((one) =>
          joined === undefined ? one.operationId === operationId : one.transaction === joined,
        );
      for (const one of taken) records.delete(quarantineKey(one.operationId));
      return taken;
    },
  };
  return {
    transaction,
    changes: () => ({
      device,
      stored: changed,
      keys,
      isChanged:
        keys.size > 0 ||
        device.sequence !== before.sequence ||
        device.pending !== before.pending ||
        device.keyId !== before.keyId,
    }),
  };
}

/** The counters of the device during a transaction. */
type Counters = Pick<DeviceRecord, "deviceId"> & {
  sequence: number;
  opened?: number;
  pending: number;
  keyId?: string | null;
  indexes?: Unindexed | undefined;
};

function useClock(device: Counters) {
  return {
    /** What this device knows of the log, which holds its next operation within a step. */
    clock: (): LogClock => ({ greatestSequence: device.sequence, takesAnySequence: false }),
    /** The next revision of the clock, which does not move yet. */
    nextRevision: (): Revision => ({ deviceId: device.deviceId, sequence: device.sequence + 1 }),
    /** Sets the clock back to a sequence, because the server refuses to follow it. */
    setClock(sequence: number): void {
      device.sequence = sequence;
      delete device.opened;
    },
    /** Moves the clock up to a sequence that this device or another one used. */
    observe(sequence: number): void {
      const opened = Math.max(device.opened ?? device.sequence, sequence);
      device.sequence = Math.max(device.sequence, sequence);
      if (opened < device.sequence) device.opened = opened;
      else delete device.opened;
    },
    /** As far as what cannot be read may move it: anyone could have written that. */
    observeUnreadable(sequence: number): void {
      const opened = device.opened ?? device.sequence;
      const reach = Math.min(sequence, opened + MAX_CLOCK_STEP);
      if (reach <= device.sequence) return;
      device.sequence = reach;
      device.opened = opened;
    },
  };
}

function useEntities(records: StorageTransaction, changed: Map<string, StoredOperations>) {
  const known = new Map<string, StoredOperations>();
  return {
    async readStored(recordId: string): Promise<StoredOperations> {
      const found = known.get(recordId);
      if (found !== undefined) return found;
      const stored = parseStoredOperations(await records.get(entityKey(recordId)));
      known.set(recordId, stored);
      return stored;
    },
    /** `isShown`: the entity is the same, as when the server has confirmed what was stored. */
    writeStored(recordId: string, stored: StoredOperations, isShown = false): void {
      known.set(recordId, stored);
      if (!isShown || changed.has(recordId)) changed.set(recordId, stored);
      if (stored.length === 0) records.delete(entityKey(recordId));
      else records.put(entityKey(recordId), storedOperationsToText(stored));
    },
  };
}

function useQueue(records: StorageTransaction, device: Counters) {
  /** The texts that this transaction has queued, by their keys. */
  const queued = new Map<string, string>();
  return {
    /** `isNew`: the queue cannot have the operation, which is counted beyond all that the device knows. */
    async enqueue(
      { revision, text }: ParsedOperation,
      { span = null, isNew = false }: { span?: TransactionSpan | null; isNew?: boolean } = {},
    ): Promise<void> {
      const key = pendingKey(revision);
      const isQueued = !isNew && (await records.get(key)) !== undefined;
      if (!isQueued) device.pending++;
      queued.set(key, text);
      records.put(key, toPendingValue({ text, span, isSealedAgain: false }));
    },
    /** One push sends those of these operations whole that this transaction has queued. */
    joinQueued(span: TransactionSpan): void {
      for (let { first: sequence } = span; sequence <= span.last; sequence++) {
        const key = pendingKey({ deviceId: device.deviceId, sequence });
        const text = queued.get(key);
        if (text === undefined) continue;
        records.put(key, toPendingValue({ text, span, isSealedAgain: false }));
      }
    },
    /** Takes an operation out of the queue, and returns what was there; undefined when it is not in it. */
    async dequeue(revision: Revision): Promise<PendingRecord | undefined> {
      const key = pendingKey(revision);
      const value = await records.get(key);
      if (value === undefined) return undefined;
      device.pending = Math.max(0, device.pending - 1);
      queued.delete(key);
      records.delete(key);
      return readPending(value);
    },
    /** Corrects a count of the queue that is not true: it would be waited for in vain. */
    async noteEmptyQueue(): Promise<void> {
      const [first] = await records.list(prefixRange(PENDING_PREFIX, 1));
      if (first === undefined) device.pending = 0;
    },
  };
}
