/** What is known of the instances of a PostgreSQL host without opening them: a row for each, whatever machine wrote it. */
import type { Database } from "../database/database.ts";
import { hasDirectory, useDirectory } from "../database/named-instance.ts";
import { parseUsage, type InstanceUsage } from "./instance-usage.ts";

export interface KnownUsage {
  /** Null while no server has had the instance open. */
  readonly usage: InstanceUsage | null;
  /** Whether the instance was used, if only by a command. */
  readonly isUsed: boolean;
}

/** All of them in one statement, by their names. */
export function readUsages(store: string): Promise<ReadonlyMap<string, KnownUsage>> {
  return useDirectory(store, async (directory) => {
    if (!(await hasDirectory(directory))) return new Map();
    const rows = await directory.query<{ name: string; usage: string | null; is_used: number }>(
      `select i.name, u.usage, i.sealed_key is not null as is_used from trellis_instances i
       left join trellis_usage u on u.instance = i.instance`,
    );
    return new Map(
      rows.map(({ name, usage, is_used: isUsed }) => [
        name,
        { usage: usage === null ? null : parseUsage(usage), isUsed: isUsed === 1 },
      ]),
    );
  });
}

/** The row of the instance whose database it is; null for a store without a name. */
export async function readUsageRow(database: Database): Promise<InstanceUsage | null> {
  if (!(await hasDirectory(database))) return null;
  const [row] = await database.query<{ usage: string }>(
    "select usage from trellis_usage where instance = $instance",
  );
  return row === undefined ? null : parseUsage(row.usage);
}

/** An instance that was removed meanwhile gets none. */
export async function writeUsageRow(database: Database, usage: InstanceUsage): Promise<void> {
  await database.transaction(
    (tx) =>
      tx.query(
        `insert into trellis_usage (instance, usage)
         select instance, $1 from trellis_instances where instance = $instance
         on conflict (instance) do update set usage = excluded.usage`,
        [JSON.stringify(usage)],
      ),
    { mayBeLost: true },
  );
}
