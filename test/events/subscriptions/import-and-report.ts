/** Imports a file and prints its progress, until the test kills it. */
import { readFileSync } from "node:fs";
import { openDatabase } from "../../../src/database/open-database.ts";
import { importFile } from "../../../src/events/import/import-file.ts";
import { openSqlEventsStore } from "../../../src/events/sql/open-sql-events-store.ts";

const [address = "", accountId = "", path = ""] = process.argv.slice(2);
const store = await openSqlEventsStore(await openDatabase(address));
await importFile({
  store,
  accountId,
  bytes: readFileSync(path),
  fileName: "school.ics",
  defaultTimeZone: "UTC",
  onProgress: (progress) => process.stdout.write(`${JSON.stringify(progress)}\n`),
});
await store.close();
