/**
 * All entities, page by page, when an app opens: each from its record or, where there are many, as they were shown
 * before, from pages that are stored like indexes and with them. To read 20,000 records takes longer than to parse them.
 */
import { requireDevice } from "./device-record.ts";
import { packEntity, unpackEntity, type PackedEntity, type StoredEntity } from "./entity.ts";
import { entityKey, ENTITY_PREFIX, INDEX_PREFIX, readPages, readRecord } from "./records.ts";
import type { StorageTransaction, StoredRecord } from "./storage.ts";
import { findUnindexed } from "./unindexed.ts";

export interface EntityPage {
  readonly entities?: readonly StoredEntity[];
  readonly records: readonly StoredRecord[];
  readonly isLast: boolean;
}

type Read = Parameters<typeof readPages>[0];

/** Opening waits for one page: more entities than most apps have, and parsed before a person notices. */
export const PAGE_ENTITIES = 2000;
/** A stored page is parsed in a few milliseconds. */
const PAGE_CHARACTERS = 100_000;

export async function* readRecordPages(read: Read): AsyncGenerator<EntityPage, void> {
  for await (const records of readPages(read, ENTITY_PREFIX, PAGE_ENTITIES)) {
    yield { records, isLast: records.length < PAGE_ENTITIES };
  }
}

/** By the stored pages, as long as these can be relied on. What was written since comes last, from its records. */
export async function* readStoredPages(read: Read): AsyncGenerator<EntityPage, void> {
  for (let number = 0; ; number++) {
    const page = await read((transaction) => readStoredPage(transaction, number));
    if (page === null) return yield* readRecordPages(read);
    yield page;
    if (page.isLast) return;
  }
}

async function readStoredPage(
  transaction: StorageTransaction,
  number: number,
): Promise<EntityPage | null> {
  const unindexed = findUnindexed(await requireDevice(transaction));
  if (unindexed === undefined) return null;
  if (number === unindexed.pages) {
    return { records: await readEntityRecords(transaction, unindexed.recordIds), isLast: true };
  }
  const page = await readRecord<readonly PackedEntity[]>(transaction, pageKey(number));
  if (page === undefined) return null;
  const written = new Set(unindexed.recordIds);
  const known = written.size === 0 ? page : page.filter(([entityId]) => !written.has(entityId));
  return { entities: known.map(unpackEntity), records: [], isLast: false };
}

export async function readEntityRecords(
  transaction: StorageTransaction,
  recordIds: readonly string[],
): Promise<readonly StoredRecord[]> {
  const keys = recordIds.map(entityKey);
  const texts = await Promise.all(keys.map((key) => transaction.get(key)));
  return keys.flatMap((key, at) => {
    const text = texts[at];
    return text === undefined ? [] : [[key, text] as const];
  });
}

/** Returns the number of pages. */
export function writeEntityPages(
  transaction: Pick<StorageTransaction, "put">,
  entities: Iterable<StoredEntity>,
): number {
  let [number, characters] = [0, 0];
  let texts: string[] = [];
  const end = () => {
    transaction.put(pageKey(number++), `[${texts.join(",")}]`);
    [texts, characters] = [[], 0];
  };
  for (const entity of entities) {
    const text = JSON.stringify(packEntity(entity));
    texts.push(text);
    characters += text.length;
    if (characters >= PAGE_CHARACTERS) end();
  }
  if (texts.length > 0) end();
  return number;
}

/** No type begins with a dot. */
function pageKey(number: number): string {
  return `${INDEX_PREFIX}.entities/${number}`;
}
