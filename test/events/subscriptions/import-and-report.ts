/** Imports a file and prints its progress, until the test kills it. */
import { readFileSync } from "node:fs";
import { importFile } from "../../../src/events/import/import-file.ts";
import { openEventsStore } from "../../../src/events/sql/open-store.ts";

const [address = "", dataDir = "", accountId = "", path = ""] = process.argv.slice(2);
const store = await openEventsStore(address, dataDir);
await importFile({
  store,
  accountId,
  bytes: readFileSync(path),
  fileName: "school.ics",
  defaultTimeZone: "UTC",
  onProgress: (progress) => process.stdout.write(`${JSON.stringify(progress)}\n`),
});
await store.close();
