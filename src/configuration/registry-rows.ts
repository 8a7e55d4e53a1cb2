/**
 * The registry of instances in a PostgreSQL database, which every machine of the host reads. A change is one
 * transaction, and raises the version that servers look at.
 */
import type { Queryable } from "../database/database.ts";
import { createDirectory, useDirectory } from "../database/named-instance.ts";

/** Settings by name, unchecked: another version may have written them. */
export type RegistryRows = Readonly<Record<string, unknown>>;

const HAS_REGISTRY = `select 1 as found from pg_class where relname = 'trellis_registry'
  and relnamespace = current_schema()::regnamespace`;
const VERSION = "select version from trellis_registry";

/** Null before the first change: the server has one instance, which has no name. */
export function readRegistryRows(address: string): Promise<RegistryRows | null> {
  return useDirectory(address, async (directory) =>
    (await readRowsVersion(directory)) === null ? null : readRows(directory),
  );
}

/** The version of the registry, which is another one after every change; null before the first. */
export async function readRowsVersion(directory: Queryable): Promise<string | null> {
  if ((await directory.query(HAS_REGISTRY)).length === 0) return null;
  const [row] = await directory.query<{ version: number }>(VERSION);
  return row === undefined ? null : String(row.version);
}

/** `change` throws to stop. Returns what the registry has then. */
export function changeRegistryRows<T extends RegistryRows>(
  address: string,
  change: (rows: RegistryRows | null) => T,
): Promise<T> {
  return useDirectory(address, async (directory) => {
    await createDirectory(directory);
    return directory.transaction(async (tx) => {
      // The row is locked until the commit, so that commands change the registry in turn.
      const [version] = await tx.query(`${VERSION} for update`);
      const before = version === undefined ? null : await readRows(tx);
      const after = change(before);
      await writeRows(tx, before ?? {}, after);
      await tx.query(
        `insert into trellis_registry (id, version) values (1, 1)
         on conflict (id) do update set version = trellis_registry.version + 1`,
      );
      return after;
    });
  });
}

/** Gives an instance another name, and settings with it; its number and so its rows stay. */
export function renameRegistered(
  address: string,
  from: string,
  to: string,
  settings: unknown,
): Promise<void> {
  return useDirectory(address, (directory) =>
    directory.transaction(async (tx) => {
      await tx.query("update trellis_instances set name = $2, settings = $3 where name = $1", [
        from,
        to,
        JSON.stringify(settings),
      ]);
      await tx.query("update trellis_registry set version = version + 1");
    }),
  );
}

async function readRows(directory: Queryable): Promise<RegistryRows> {
  const rows = await directory.query<{ name: string; settings: string }>(
    "select name, settings from trellis_instances where settings is not null order by name",
  );
  return Object.fromEntries(
    rows.map(({ name, settings }) => [name, JSON.parse(settings) as unknown]),
  );
}

async function writeRows(tx: Queryable, before: RegistryRows, after: RegistryRows): Promise<void> {
  const texts = Object.entries(after).map(([name, settings]) => [name, JSON.stringify(settings)]);
  const changed = texts.filter(([name = "", text]) => JSON.stringify(before[name]) !== text);
  await tx.queryRows(
    `insert into trellis_instances (name, settings) select r.name, r.settings from {rows} as r
     where true on conflict (name) do update set settings = excluded.settings`,
    { columns: { name: "text", settings: "text" }, rows: changed },
  );
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  await tx.queryRows(
    "delete from trellis_instances where name in (select r.name from {rows} as r)",
    {
      columns: { name: "text" },
      rows: gone.map((name) => [name]),
    },
  );
}
