/** Restores a backup in another process. Arguments: store, file. */
import { openDatabase } from "../../../src/database/open-database.ts";
import { openEventsBackup } from "../../../src/events/maintenance/backup.ts";
import { restoreContents } from "../../../src/events/maintenance/restore.ts";
import { NOW } from "./samples.ts";

const [address = "", file = ""] = process.argv.slice(2);
const database = await openDatabase(address);
const backup = await openEventsBackup(file);
process.stdout.write("begins\n");
await restoreContents(database, backup.contents, NOW);
await backup.close();
await database.close();
