/** A process that holds a backup open, as `restore` does while it asks: node hold-backup.ts FILE. */
import { openBackup } from "../../src/backup/format/open-backup.ts";
import { SYNC_STORE } from "../../src/sync/sql/open-store.ts";

await openBackup(process.argv[2] ?? "", SYNC_STORE.examiner, async () => null);
process.stdout.write("open\n");
setInterval(() => {}, 60_000);
