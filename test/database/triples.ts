/** The rows of write-triples.ts come in threes, so that half a transaction is noticed. */
import type { Database } from "../../src/database/database.ts";

export interface Triples {
  readonly numbers: readonly number[];
  readonly areWhole: boolean;
}

export async function createTriples(database: Database): Promise<void> {
  await database.transaction((tx) =>
    tx.script(
      "create table triple (writer text, number bigint, part bigint, body text, primary key (writer, number, part))",
    ),
  );
}

export async function readTriples(database: Database): Promise<Map<string, Triples>> {
  const rows = await database.query<{ writer: string; number: number; parts: number }>(
    "select writer, number, count(*) as parts from triple group by writer, number order by writer, number",
  );
  return new Map(
    [...Map.groupBy(rows, ({ writer }) => writer)].map(([writer, own]) => [
      writer,
      {
        numbers: own.map(({ number }) => number),
        areWhole: own.every(({ parts }) => parts === 3),
      },
    ]),
  );
}
