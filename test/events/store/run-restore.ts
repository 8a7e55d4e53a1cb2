/** Restores a backup in another process. Arguments: store, file. */
import { openDatabase } from "../../../src/database/open-database.ts";
import { openBackup } from "../../../src/database/backup/open-backup.ts";
import { EVENTS_EXAMINER } from "../../../src/events/maintenance/backup.ts";
import { restoreEventsContents } from "../../../src/events/maintenance/restore.ts";
import { NOW } from "./samples.ts";
import { findBackupKey } from "../../database/backup-sample.ts";

const [address = "", file = ""] = process.argv.slice(2);
const database = await openDatabase(address);
const backup = await openBackup(file, EVENTS_EXAMINER, findBackupKey);
process.stdout.write("begins\n");
await restoreEventsContents(database, backup.contents, NOW);
await backup.close();
await database.close();
