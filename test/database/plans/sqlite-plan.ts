/** What is wrong with the plan that SQLite makes of a statement. */
import type { Database } from "../../../src/database/database.ts";
import type { PlanReader } from "./postgres-plan.ts";

/** `SCAN e USING INDEX …`, or a search for nothing but the instance, which a file has once. */
const SCAN = /^SCAN (?<name>\S+)|^SEARCH (?<part>\S+) USING .*\(instance=\?\)(?: LEFT-JOIN)?$/;
const TEMPORARY_SORT = /^USE TEMP B-TREE FOR .*ORDER BY$/;

export function createSqlitePlanReader(database: Database, growing: readonly string[]): PlanReader {
  return {
    async findErrors({ sql }) {
      const steps = await database.query<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
      const tables = readAliases(sql);
      const isGrowing = growing.some((table) => sql.includes(table));
      return steps.flatMap(({ detail }) => {
        if (TEMPORARY_SORT.test(detail) && /\blimit\b/i.test(sql) && isGrowing) {
          return ["sorts all rows for the first ones"];
        }
        const { name, part } = SCAN.exec(detail)?.groups ?? {};
        const read = name ?? part ?? "";
        const table = tables.get(read) ?? read;
        return growing.includes(table) ? [`reads all of ${table}`] : [];
      });
    },
  };
}

/** SQLite names a table in its plan as the statement does. */
function readAliases(sql: string): Map<string, string> {
  const found = sql.matchAll(
    /\b(?<table>(?:sync|events|identity)_\w+)(?: AS)? (?<alias>[a-z]\w*)/gi,
  );
  return new Map(
    [...found].map(({ groups }) => [groups?.["alias"] ?? "", groups?.["table"] ?? ""]),
  );
}
