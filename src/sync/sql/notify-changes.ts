/** What streams of changes wait for: the head has moved, or a session has ended. */
import type { CommitWatch, Database } from "../../database/database.ts";

const CHANNEL = "sync changes";

export function watchChanges(database: Database, onChange: () => void): CommitWatch {
  return database.watch(CHANNEL, onChange);
}

/** After the commit of such a change, whichever process or command made it. */
export function notifyChanges(database: Database): void {
  database.notify(CHANNEL);
}
