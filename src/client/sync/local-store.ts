/**
 * The data of the device: every change is one transaction of the storage, and the view is changed
 * before the next one begins. So the view never shows what is not durable, nor an older state.
 */
import { becomeNewDevice, ensureDevice, readDevice, requireDevice } from "./device-record.ts";
import {
  PAGE_ENTITIES,
  readRecordPages,
  readStoredPages,
  type EntityPage,
} from "./entity-pages.ts";
import { parseStoredOperations } from "./entity-record.ts";
import { NO_FACTS, readFacts, type LocalFacts } from "./local-facts.ts";
import { KEYS_KEY } from "./keys-record.ts";
import { createLocalTransaction, type LocalTransaction } from "./local-transaction.ts";
import {
  DEVICE_KEY,
  entityKey,
  POSITION_KEY,
  QUARANTINE_PREFIX,
  SESSION_KEY,
  writeRecord,
} from "./records.ts";
import { CLEAR_FORM, isSealedId, type RecordForm } from "./record-form.ts";
import type { SyncSettings } from "./settings.ts";
import { createVisibleRecords, type StoredById } from "./visible-records.ts";
import { createVisibleWrites } from "./visible-writes.ts";
import { addUnindexed, findUnindexed, removeIndexes } from "./unindexed.ts";
import { createSerialize } from "../serialize.ts";
import type { StorageTransaction } from "./storage.ts";

export type LocalStore = Awaited<ReturnType<typeof openLocalStore>>;

export interface LocalStoreOptions extends Pick<
  SyncSettings,
  "storage" | "baseUrl" | "deviceName" | "randomBytes" | "encryption"
> {
  /** Null without the account's key, or without encryption. */
  readonly form: RecordForm | null;
  /** Called after each write of this client. */
  readonly onWrite: (change: LocalChange) => void;
  /** Called after everything was read again. */
  readonly onLoad: () => void;
}

export interface LocalChange {
  /** The entities that are other ones now. */
  readonly entityIds: readonly string[];
  /** The records that another tab must read. */
  readonly recordIds: readonly string[];
  /** The number of the write. */
  readonly write: number;
}

/** The number of a transaction that changed nothing; others begin with 1. */
const NO_WRITE = 0;

export async function openLocalStore(options: LocalStoreOptions) {
  const { storage, baseUrl, encryption, onWrite, onLoad } = options;
  const serialize = createSerialize();
  let facts = NO_FACTS;
  const createFirstForm = () => encryption?.createForm(null) ?? CLEAR_FORM;
  let form = options.form ?? createFirstForm();
  let visible = createVisibleRecords(form);
  let visibleWrites = createVisibleWrites(0);
  const read = <T>(work: (transaction: StorageTransaction) => Promise<T>) =>
    storage.transaction("read", work);

  /** The pages that opening has left to be read; null when all entities are visible. */
  let pages: AsyncGenerator<EntityPage, void> | null = readRecordPages(read);
  const loaded = Promise.withResolvers<void>();
  const isLoaded = () => pages === null;

  async function load(isErased = false): Promise<void> {
    const { writes, deviceId } = await ensureDevice(options);
    const isOther = facts.deviceId !== "" && facts.deviceId !== deviceId;
    // The key belongs to the account of the device that is gone.
    if (isErased || isOther) form = createFirstForm();
    const named = await nameClear();
    const records = createVisibleRecords(form);
    for await (const page of readRecordPages(read)) records.takePage(page);
    const others = await read((transaction) => readFacts(transaction, baseUrl));
    const unsent = isOther ? (facts.lost ?? 0) + facts.pending : facts.lost;
    const lost = isErased || others.session === "signed-in" ? null : unsent;
    visible = records;
    facts = { ...others, entities: records.entities(), lost };
    visibleWrites = createVisibleWrites(Math.max(writes, named));
    endLoading();
  }

  /** Names what this tab, or another one that did not know the key yet, has stored under the app's own names. */
  async function nameClear(): Promise<number> {
    if (encryption === null || form.kind !== "sealed" || !(await read(encryption.hasClear)))
      return NO_WRITE;
    return writeHidden(encryption.nameRecords);
  }

  /** Writes what another tab must read, and this one is about to. */
  async function writeHidden(
    work: (transaction: LocalTransaction) => Promise<void>,
  ): Promise<number> {
    const { stored, write } = await runWrite(options, form, work);
    if (write !== NO_WRITE) onWrite({ entityIds: [], recordIds: [...stored.keys()], write });
    return write;
  }

  async function unlock(
    next: RecordForm,
    work: (transaction: LocalTransaction) => void,
  ): Promise<void> {
    form = next;
    // Should the storage fail, the next round reads everything again.
    visibleWrites = createVisibleWrites(NO_WRITE);
    await ensureDevice(options);
    await writeHidden(async (transaction) => {
      work(transaction);
      await encryption?.nameRecords(transaction);
      await encryption?.reopenRecords(transaction);
    });
    await load();
  }

  function endLoading(): void {
    pages = null;
    onLoad();
    loaded.resolve();
  }

  /**
   * Shows the first entities, unless indexes tell which are the first ones of a query; the others follow page by page,
   * between edits and rounds.
   */
  async function open(): Promise<void> {
    const device = await ensureDevice(options);
    const { writes } = device;
    const named = await nameClear();
    const first = await read((transaction) => readFacts(transaction, baseUrl));
    facts = { ...NO_FACTS, ...first };
    visibleWrites = createVisibleWrites(Math.max(writes, named));
    const isIndexed = form.kind === "clear" && findUnindexed(device) !== undefined;
    if (isIndexed) pages = readStoredPages(read);
    else await takePage();
    show({}, new Map());
    if (isLoaded()) return;
    // A storage that fails is read again at once, because an app without a server has no rounds; then in the
    // next round.
    showOthers()
      .catch(() => serialize(() => load()))
      .catch(() => (visibleWrites = createVisibleWrites(NO_WRITE)));
  }

  async function showOthers(): Promise<void> {
    let told = Math.max(PAGE_ENTITIES, facts.entities.size);
    for (let taken = facts.entities.size; !isLoaded();) {
      taken += await serialize(takePage);
      // Were each page told, an app that lists everything then would take the square of the time.
      if (taken < 2 * told || isLoaded()) continue;
      told = taken;
      show({}, new Map());
      onLoad();
    }
  }

  /** Returns how many entities came. */
  async function takePage(): Promise<number> {
    const page = (await pages?.next())?.value;
    // Everything was read again meanwhile, or the store is closed.
    if (page === undefined) return 0;
    visible.takePage(page);
    if (page.isLast) {
      show({}, new Map());
      endLoading();
    }
    return page.records.length + (page.entities?.length ?? 0);
  }

  async function catchUp(): Promise<void> {
    const device = await read(readDevice);
    if (device?.writes !== visibleWrites.last()) await load();
  }

  /** Returns the entities that are other ones now. */
  function show(changed: Partial<LocalFacts>, stored: StoredById): readonly string[] {
    const entityIds = visible.show(stored);
    const lost = changed.session === "signed-in" ? null : facts.lost;
    facts = { ...facts, ...changed, entities: visible.entities(), lost };
    return entityIds;
  }

  async function write<T>(work: (transaction: LocalTransaction) => Promise<T>): Promise<T> {
    const written = await runWrite(options, form, work).catch(async (error: unknown) => {
      // The write may be durable all the same; a storage that still fails is read in the next round.
      await catchUp().catch(() => {});
      throw error;
    });
    visibleWrites.add(written.write);
    const entityIds = show(written.changed, written.stored);
    onWrite({ entityIds, recordIds: [...written.stored.keys()], write: written.write });
    return written.result;
  }

  /** Returns the entities that are other ones now; null for all. */
  async function refresh(
    recordIds: readonly string[],
    write: number,
  ): Promise<readonly string[] | null> {
    const { stored, changed } = await read(async (transaction) => ({
      stored: await readStoredById(transaction, recordIds),
      changed: await readFacts(transaction, baseUrl),
    }));
    const isSealed = form.kind !== "sealed" || recordIds.every(isSealedId);
    const entityIds =
      isSealed && changed.deviceId === facts.deviceId ? show(changed, stored) : null;
    visibleWrites.add(write);
    // The tab of a write in between has no channel, or was killed before it told.
    if (entityIds !== null && !visibleWrites.hasGap()) return entityIds;
    await load();
    return null;
  }

  await open();
  return {
    facts: () => facts,
    form: () => form,
    unreadable: () => visible.unreadable(),
    /** Resolves when all entities are visible, or the store is closed. */
    loaded: loaded.promise,
    isLoaded,
    /** The last write that is visible together with all before it. */
    lastWrite: () => visibleWrites.last(),
    read: <T>(work: (transaction: StorageTransaction) => Promise<T>) => serialize(() => read(work)),
    write: <T>(work: (transaction: LocalTransaction) => Promise<T>) => serialize(() => write(work)),
    /** Takes the account's keys, in one transaction with the work, and shows what they open. */
    unlock: (next: RecordForm, work: (transaction: LocalTransaction) => void) =>
      serialize(() => unlock(next, work)),
    /** Names what another tab has stored under the app's own names; returns whether there was anything. */
    nameClear: () =>
      serialize(async () => {
        const write = await nameClear();
        if (write !== NO_WRITE) await load();
        return write !== NO_WRITE;
      }),
    /** Shows what another tab has changed by that write. */
    refresh: (recordIds: readonly string[], write: number) =>
      serialize(() => refresh(recordIds, write)),
    /** Another tab has erased the records. */
    reload: () => serialize(() => load(true).then(() => null)),
    /** Reads everything again if another tab has written something that is not visible. */
    catchUp: () => serialize(catchUp),
    /** Removes every record: this becomes a new device. Returns how many unsent edits keep it from that. */
    erase: (discardUnsent: boolean) =>
      serialize(async () => {
        const unsent = await becomeNewDevice(options, discardUnsent);
        if (unsent === 0) await load(true);
        return unsent;
      }),
    close: () =>
      serialize(() => {
        pages = null;
        loaded.resolve();
        return storage.close();
      }),
  };
}

async function readStoredById(
  transaction: StorageTransaction,
  recordIds: readonly string[],
): Promise<StoredById> {
  const texts = await Promise.all(recordIds.map((id) => transaction.get(entityKey(id))));
  return new Map(recordIds.map((id, index) => [id, parseStoredOperations(texts[index])]));
}

function runWrite<T>(
  { storage, baseUrl }: LocalStoreOptions,
  form: RecordForm,
  work: (transaction: LocalTransaction) => Promise<T>,
) {
  return storage.transaction("write", async (transaction) => {
    const before = await requireDevice(transaction);
    const local = createLocalTransaction(transaction, before, form);
    const result = await work(local.transaction);
    const isClear = form.kind === "clear";
    if (!isClear && before.indexes !== undefined) await removeIndexes(local.transaction);
    const { device, stored, keys, isChanged } = local.changes();
    const writes = before.writes + 1;
    const indexes = isClear ? addUnindexed(before, device.indexes, stored.keys()) : undefined;
    if (isChanged) writeRecord(transaction, DEVICE_KEY, { ...device, writes, indexes });
    // An edit needs no further read to know what it has changed.
    const isFact = (key: string) =>
      key === POSITION_KEY ||
      key === SESSION_KEY ||
      key === KEYS_KEY ||
      key.startsWith(QUARANTINE_PREFIX);
    const changed = [...keys].some(isFact)
      ? await readFacts(transaction, baseUrl)
      : { pending: device.pending };
    return { result, stored, changed, write: isChanged ? writes : NO_WRITE };
  });
}
