/** What is wrong with the plan that PostgreSQL makes of a statement. */
import type { TestContext } from "node:test";
import postgres, { type Sql } from "postgres";
import type { Database, Queryable } from "../../../src/database/database.ts";
import type { RecordedStatement, Sender } from "./record-statements.ts";

export interface PlanReader {
  /** Without values for its parameters, as a kept plan is made. An empty list when nothing is wrong. */
  findErrors(statement: RecordedStatement): Promise<string[]>;
}

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Index Cond"?: string;
  readonly Filter?: string;
  readonly Plans?: readonly PlanNode[];
}

interface Index {
  readonly table: string;
  readonly isUnique: boolean;
  readonly columns: readonly string[];
}

export async function createPostgresPlanReader(
  t: TestContext,
  url: string,
  database: Database,
  growing: readonly string[],
): Promise<PlanReader> {
  const indexes = await readIndexes(database);
  const openLikeTransaction = (keepsPlans: boolean) =>
    database.transaction((tx) => openLike(t, url, tx), { keepsPlans });
  const connections: Record<Sender, Sql> = {
    query: await openLike(t, url, database),
    transaction: await openLikeTransaction(false),
    "keeping transaction": await openLikeTransaction(true),
  };

  function findIn(node: PlanNode, parent: PlanNode | null): string[] {
    const below = (node.Plans ?? []).flatMap((child) => findIn(child, node));
    return [...findError(node, parent), ...below];
  }

  function findError(node: PlanNode, parent: PlanNode | null): string[] {
    const type = node["Node Type"];
    const table = node["Relation Name"] ?? indexes.get(node["Index Name"] ?? "")?.table;
    if (type === "Sort" && parent?.["Node Type"] === "Limit" && readsGrowing(node)) {
      return ["sorts all rows for the first ones"];
    }
    if (table === undefined || !growing.includes(table)) return [];
    if (type === "Seq Scan") return [`reads all of ${table}`];
    if (/^(?:Index|Bitmap Index)/.test(type)) return findIndexError(node, parent, table);
    if (type === "Bitmap Heap Scan") return findFilterError(node, node.Plans?.[0] ?? node, table);
    return type === "ModifyTable" ? [] : [`is a ${type} of ${table}`];
  }

  function findIndexError(node: PlanNode, parent: PlanNode | null, table: string): string[] {
    // Every row of the instance is all that it has.
    const columns = indexes.get(node["Index Name"] ?? "")?.columns ?? [];
    const leading = columns.find((column) => column !== "instance") ?? "";
    const condition = node["Index Cond"] ?? "";
    // The first entries of an index, such as the least of all values.
    const isStart = parent?.["Node Type"] === "Limit" && node.Filter === undefined;
    if (!isBound(leading, condition) && !isStart) {
      return [`reads all of ${node["Index Name"]}, an index of ${table}`];
    }
    return findFilterError(node, node, table);
  }

  /** Rows that an index finds and a filter drops are read for nothing, unless the key finds only one. */
  function findFilterError(node: PlanNode, scan: PlanNode, table: string): string[] {
    const index = indexes.get(scan["Index Name"] ?? "");
    const isOne =
      index?.isUnique === true &&
      index.columns.every((column) => isEqual(column, scan["Index Cond"] ?? ""));
    return isOfInstance(node.Filter) || isOne
      ? []
      : [`filters rows of ${table} by ${node.Filter} after ${scan["Index Cond"] ?? "an index"}`];
  }

  function readsGrowing(node: PlanNode): boolean {
    const table = node["Relation Name"] ?? "";
    return growing.includes(table) || (node.Plans ?? []).some(readsGrowing);
  }

  return {
    async findErrors({ sql, sentBy }) {
      const [row] = await connections[sentBy].unsafe<
        { "QUERY PLAN": { readonly Plan: PlanNode }[] }[]
      >(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${sql}`);
      const plan = row?.["QUERY PLAN"][0]?.Plan;
      if (plan === undefined) throw new Error("PostgreSQL made no plan");
      return findIn(plan, null);
    },
  };
}

/**
 * A connection with the settings of one of the store's own. Its statements have no parameters, unlike those
 * of the store's: with values for them PostgreSQL would plan for these values.
 */
async function openLike(t: TestContext, url: string, store: Queryable): Promise<Sql> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  t.after(() => sql.end({ timeout: 1 }));
  const settings = await store.query<{ name: string; setting: string }>(
    `SELECT name, setting FROM pg_settings
     WHERE source IN ('client', 'session') AND name NOT LIKE 'transaction%'`,
  );
  for (const { name, setting } of settings) {
    await sql`SELECT set_config(${name}, ${setting}, false)`;
  }
  return sql;
}

/** The ids of accounts and sessions are random, so one that an index finds is hardly ever of another instance. */
function isOfInstance(filter = ""): boolean {
  const condition = /\(instance = (?:\$\d+|\(NULLIF\(current_setting\([^)]*\)[^)]*\)\)::bigint)\)/g;
  return /^[( )]*(?:AND[( )]*)*$/.test(filter.replaceAll(condition, ""));
}

function isBound(column: string, condition: string): boolean {
  return new RegExp(`\\(${column} (?:=|<|>)`).test(condition);
}

function isEqual(column: string, condition: string): boolean {
  return new RegExp(`\\(${column} = `).test(condition);
}

async function readIndexes(database: Database): Promise<Map<string, Index>> {
  const rows = await database.query<{
    name: string;
    table_name: string;
    is_unique: number;
    column_name: string;
  }>(
    `SELECT c.relname AS name, t.relname AS table_name, i.indisunique AS is_unique,
       pg_get_indexdef(i.indexrelid, k, true) AS column_name
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
     CROSS JOIN LATERAL generate_series(1, i.indnkeyatts) AS k
     WHERE t.relnamespace = current_schema()::regnamespace ORDER BY c.relname, k`,
  );
  const indexes = new Map<string, Index & { readonly columns: string[] }>();
  for (const row of rows) {
    const { table_name: table, is_unique: unique } = row;
    const index = indexes.get(row.name) ?? { table, isUnique: unique === 1, columns: [] };
    index.columns.push(row.column_name.replace(/ COLLATE .*/, ""));
    indexes.set(row.name, index);
  }
  return indexes;
}
