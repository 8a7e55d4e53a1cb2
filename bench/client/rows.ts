import { DatabaseSync } from "node:sqlite";

/** A durable table of texts; the returned function commits one. */
export function openRows(path: string): (row: string) => void {
  const database = new DatabaseSync(path);
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE edits (body TEXT NOT NULL) STRICT;
  `);
  const insert = database.prepare("INSERT INTO edits VALUES (?)");
  return (row) => void insert.run(row);
}
