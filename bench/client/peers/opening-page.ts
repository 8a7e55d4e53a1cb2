/** Runs in Chromium: what opening an app with many rows costs its page, with the client and with Dexie. */
import {
  createIndexedDbStorage,
  type Collection,
  type SyncClient,
} from "../../../src/client/index.ts";
import { openClient } from "../open-client.ts";

export interface OpeningPage {
  readonly names: readonly string[];
  /** Seconds until the rows are stored. */
  fill(name: string, rows: number): Promise<number>;
  /** Opens the database and shows all rows, or the first by date. */
  open(name: string, wanted: "all" | "first"): Promise<number>;
  /** Ends what goes on behind what is shown. */
  close(): Promise<void>;
}

/** What the page's bundle takes from the package, whose types are not installed here. */
export type Dexie = new (name: string) => DexieDatabase;

interface DexieDatabase {
  version(number: number): { stores(schema: Record<string, string>): unknown };
  table(name: string): {
    bulkPut(rows: readonly object[]): Promise<unknown>;
    toArray(): Promise<object[]>;
    orderBy(index: string): {
      reverse(): { limit(count: number): { toArray(): Promise<object[]> } };
    };
  };
  close(): void;
}

interface Booking {
  date: string;
  category: string;
  cents: number;
  payee: string;
  note: string;
}

interface OpenDatabase {
  fill(rows: readonly BookingRow[]): Promise<unknown>;
  all(): Promise<{ readonly length: number }>;
  /** The first by date, the latest before others. */
  first(): Promise<{ readonly length: number }>;
  close(): Promise<void>;
}

type BookingRow = Booking & { readonly id: string };

const FIRST = 100;
const TOGETHER = 100;
const DAY_MS = 86_400_000;
const INDEXES = ["date", "category", ["category", "date"]] as const;

export function createOpeningPage(Dexie: Dexie): OpeningPage {
  let opened: OpenDatabase | null = null;
  const kept: object[] = [];
  const databases: Record<string, () => Promise<OpenDatabase>> = {
    Trellis: openTrellis,
    "Dexie 4.4": () => openDexie(Dexie),
  };
  const open = async (name: string) => {
    const database = databases[name];
    if (database === undefined) throw new Error(`There is no "${name}"`);
    return (opened = await database());
  };
  return {
    names: Object.keys(databases),
    async fill(name, rows) {
      const database = await open(name);
      const startedAt = performance.now();
      await database.fill(Array.from({ length: rows }, (_, number) => createRow(number)));
      const seconds = (performance.now() - startedAt) / 1000;
      await database.close();
      return seconds;
    },
    async open(name, wanted) {
      const database = await open(name);
      const shown = await database[wanted]();
      // An app keeps what it shows.
      kept.push(shown);
      return shown.length;
    },
    close: async () => opened?.close(),
  };
}

function createRow(number: number): BookingRow {
  const day = new Date(Date.UTC(2020, 0, 1) + ((number * 7919) % 2200) * DAY_MS);
  return {
    id: `booking-${String((number * 104_729) % 1_000_003).padStart(7, "0")}`,
    date: day.toISOString().slice(0, 10),
    category: `category-${number % 17}`,
    cents: (number * 37) % 100_000,
    payee: `Payee ${number % 500}`,
    note: `A note of some words about booking ${number}`,
  };
}

async function openTrellis(): Promise<OpenDatabase> {
  const client = await openClient(createIndexedDbStorage("opening-trellis"), undefined, {
    profile: "open",
  });
  const bookings = client.collection<Booking, {}, (typeof INDEXES)[number]>("booking", {
    indexes: INDEXES,
  });
  return {
    fill: (rows) => fillTrellis(client, bookings, rows),
    async all() {
      await client.loaded;
      return bookings.list();
    },
    first() {
      const query = bookings.query({ orderBy: "date", desc: true, limit: FIRST });
      const { promise, resolve } = Promise.withResolvers<{ readonly length: number }>();
      const check = () => {
        const { rows } = query.getSnapshot();
        if (rows.length === FIRST) resolve(rows);
      };
      query.subscribe(check);
      check();
      return promise;
    },
    close: () => client.close(),
  };
}

async function fillTrellis(
  client: SyncClient,
  bookings: Collection<Booking>,
  rows: readonly BookingRow[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += TOGETHER) {
    const result = await client.transaction((edit) => {
      for (const { id, ...fields } of rows.slice(start, start + TOGETHER)) {
        edit(bookings).create(fields, { id });
      }
    });
    if (result.kind === "refused") throw new Error(result.message);
  }
}

async function openDexie(Dexie: Dexie): Promise<OpenDatabase> {
  const database = new Dexie("opening-dexie");
  database.version(1).stores({ bookings: "id, date, category, [category+date]" });
  const table = database.table("bookings");
  return {
    fill: (rows) => table.bulkPut(rows),
    all: () => table.toArray(),
    first() {
      const byDate = table.orderBy("date");
      // Not of an array.
      // oxlint-disable-next-line unicorn/no-array-reverse
      return byDate.reverse().limit(FIRST).toArray();
    },
    close: async () => database.close(),
  };
}
