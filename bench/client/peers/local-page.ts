/** Runs in Chromium: the same local edits and lists with the client and with other libraries, on IndexedDB. */
import { createIndexedDbStorage } from "../../../src/client/index.ts";
import { openClient } from "../open-client.ts";
import type { LocalResult } from "../report-client.ts";
import { createDocument } from "./documents.ts";
import { ENTRIES, type MergeableStore, type Persister } from "./tinybase.ts";

/** What the page's bundle takes from the packages, whose types are not installed here. */
export interface Libraries {
  readonly Dexie: new (name: string) => {
    version(number: number): { stores(schema: Record<string, string>): unknown };
    table(name: string): { put(document: object): Promise<unknown>; toArray(): Promise<object[]> };
  };
  readonly PouchDB: new (name: string) => {
    put(document: object): Promise<unknown>;
    allDocs(options: object): Promise<{ readonly rows: readonly object[] }>;
  };
  createStore(): MergeableStore & { getTable(table: string): Record<string, object> };
  createIndexedDbPersister(store: object, name: string): Persister;
}

/** `put` resolves when the library says that the document is stored. */
interface LocalStore {
  put(id: string, document: object): Promise<unknown>;
  list(): Promise<{ readonly length: number }>;
}

const DEVICE = "bench";

export function listLibraries(libraries: Libraries): Record<string, () => Promise<LocalStore>> {
  const { Dexie, PouchDB, createStore, createIndexedDbPersister } = libraries;
  return {
    async Trellis() {
      const client = await openClient(createIndexedDbStorage(`${DEVICE}-trellis`));
      return {
        put: (id, document) => {
          const date = "2026-01-31";
          const entityId = `entry/${id}/${date}`;
          const payload = { ...document, id: entityId, habitId: id, date };
          return client.create(entityId, payload);
        },
        list: async () => client.entities.list("entry"),
      };
    },
    async "Dexie 4.4"() {
      const database = new Dexie(`${DEVICE}-dexie`);
      database.version(1).stores({ entries: "id, date" });
      const table = database.table("entries");
      return {
        put: (id, document) => table.put({ id, ...document }),
        list: () => table.toArray(),
      };
    },
    async "PouchDB 9.0"() {
      const database = new PouchDB(`${DEVICE}-pouchdb`);
      return {
        put: (_id, document) => database.put({ _id, ...document }),
        list: async () => (await database.allDocs({ include_docs: true })).rows,
      };
    },
    async "TinyBase 10.0"() {
      const store = createStore();
      await createIndexedDbPersister(store, `${DEVICE}-tinybase`).startAutoPersisting();
      return {
        put: async (id, document) => store.setRow(ENTRIES, id, document),
        list: async () => Object.values(store.getTable(ENTRIES)),
      };
    },
  };
}

const LISTS = 50;

export async function measureLocalStore(
  store: LocalStore,
  documents: number,
): Promise<LocalResult> {
  const editsPerSecond = await rateOf(documents, (number) =>
    store.put(`document-${number}`, createDocument(number)),
  );
  const listsPerSecond = await rateOf(LISTS, async (number) => {
    await store.put(`later-${number}`, createDocument(number));
    const { length } = await store.list();
    if (length !== documents + number + 1) throw new Error(`${length} documents are listed`);
  });
  return { editsPerSecond, listsPerSecond };
}

async function rateOf(count: number, work: (number: number) => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  for (let number = 0; number < count; number++) await work(number);
  return (count * 1000) / (performance.now() - startedAt);
}
