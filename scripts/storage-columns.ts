/** The columns of every table in `docs/storage.md`, from stores that were made just for it. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../src/database/database.ts";
import { openEventsStore } from "../src/events/sql/open-store.ts";
import { openSyncStore } from "../src/sync/sql/open-store.ts";
import type { GeneratedFile } from "./bundle-web.ts";
import { formatMarkdownTable, replaceBlock } from "./page-blocks.ts";

const PAGE = "docs/storage.md";
const COLUMNS = `
  SELECT tables.name AS "table", columns.name AS "column", columns.pk AS place
  FROM sqlite_master AS tables JOIN pragma_table_info(tables.name) AS columns
  WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%'
  ORDER BY tables.name, columns.cid`;

export async function generateStorageColumns(): Promise<GeneratedFile[]> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-columns-"));
  try {
    const sync = await openSyncStore(`sqlite:${join(folder, "sync.db")}`, folder);
    const events = await openEventsStore(`sqlite:${join(folder, "events.db")}`, folder);
    const tables = {
      "columns of sync": await listColumns(sync.database, /^(?!events_)/),
      "columns of events": await listColumns(events.database, /^events_/),
    };
    await Promise.all([sync.close(), events.close()]);
    const text = await readFile(join(import.meta.dirname, "..", PAGE), "utf8");
    const content = Object.entries(tables).reduce(
      (page, block) => replaceBlock(page, ...block),
      text,
    );
    return [{ path: PAGE, content }];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function listColumns(database: Database, shown: RegExp): Promise<string> {
  const found = await database.query<{ table: string; column: string; place: number }>(COLUMNS);
  const byTable = Map.groupBy(
    found.filter(({ table }) => shown.test(table)),
    ({ table }) => table,
  );
  return formatMarkdownTable([
    ["Table", "Key", "Other columns"],
    ...[...byTable].map(([table, columns]) => {
      const key = columns.filter(({ place }) => place > 0).toSorted((a, b) => a.place - b.place);
      return [`\`${table}\``, list(key), list(columns.filter(({ place }) => place === 0))];
    }),
  ]);
}

function list(columns: readonly { readonly column: string }[]): string {
  return columns.map(({ column }) => `\`${column}\``).join(", ");
}
