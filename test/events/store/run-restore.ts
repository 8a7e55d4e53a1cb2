/** Restores a backup in another process. Arguments: store, data folder, file. */
import { openBackup } from "../../../src/backup/format/open-backup.ts";
import { EVENTS_EXAMINER } from "../../../src/events/maintenance/backup.ts";
import { restoreEventsContents } from "../../../src/events/maintenance/restore.ts";
import { openEventsStore } from "../../../src/events/sql/open-store.ts";
import { NOW } from "./samples.ts";
import { findBackupKey } from "../../database/backup-sample.ts";

const [address = "", dataDir = "", file = ""] = process.argv.slice(2);
const store = await openEventsStore(address, dataDir);
const backup = await openBackup(file, EVENTS_EXAMINER, findBackupKey);
process.stdout.write("begins\n");
await restoreEventsContents(store, backup.contents, NOW);
await backup.close();
await store.close();
