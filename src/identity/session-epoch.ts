/**
 * Counts revocations. A file outside the database has the count too, so that a database which was put
 * back is recognised: it has sessions again that were revoked after the copy was made.
 */
import type { Database, Queryable } from "../database/database.ts";
import type { LineFile } from "../database/line-file.ts";

export type SessionEpochFile = ReturnType<typeof createSessionEpochFile>;

/** The first line of the file is the log's, for services that have one. */
const LINE = 1;

export function createSessionEpochFile(file: LineFile) {
  /** Null when the file has none. */
  const readSessionEpoch = (): number | null => {
    const { sessionEpoch } = file.read(LINE) ?? {};
    return Number.isSafeInteger(sessionEpoch) ? (sessionEpoch as number) : null;
  };
  return {
    readSessionEpoch,
    /** Leaves a later epoch, which another process wrote, in the file. */
    writeSessionEpoch(sessionEpoch: number): void {
      if (sessionEpoch > (readSessionEpoch() ?? -1)) file.write(LINE, { sessionEpoch });
    },
    create: file.create,
    close: file.close,
  };
}

/** The data that a service keeps for those who are signed in. */
export interface SessionTables {
  readonly realm: string;
  /** The tables of the service itself; those of identity are known. */
  readonly tables: readonly string[];
}

export interface PreparedSessions {
  readonly epoch: number;
  /** Whether the database was behind the file, so that all sessions were revoked. */
  readonly wereRevoked: boolean;
}

/** `mark` is the epoch of the file; null when it has none. */
export function prepareSessions(
  database: Database,
  { realm, tables }: SessionTables,
  mark: number | null,
): Promise<PreparedSessions> {
  return database.transaction(async (tx): Promise<PreparedSessions> => {
    const epoch = await readSqlSessionEpoch(tx, realm);
    if (mark === null || mark <= epoch) return { epoch, wereRevoked: false };
    // The sessions that were revoked are not known, so none of them stays.
    for (const table of tables) {
      await tx.query(`DELETE FROM ${table} WHERE instance = $instance`);
    }
    const ofRealm = "instance = $instance AND realm = $1";
    await tx.query(`DELETE FROM identity_challenges WHERE ${ofRealm}`, [realm]);
    await tx.query(`DELETE FROM identity_secrets WHERE ${ofRealm} AND used_at IS NULL`, [realm]);
    return { epoch: await moveSessionEpoch(tx, realm, mark + 1), wereRevoked: true };
  });
}

/** Whether the database is behind `mark`, so that all sessions are revoked when it is prepared. */
export async function areSessionsBehind(
  store: Queryable,
  realm: string,
  mark: number | null,
): Promise<boolean> {
  return mark !== null && mark > (await readSqlSessionEpoch(store, realm));
}

export async function readSqlSessionEpoch(store: Queryable, realm: string): Promise<number> {
  const [row] = await store.query<{ epoch: number }>(
    "SELECT epoch FROM identity_session_epochs WHERE instance = $instance AND realm = $1",
    [realm],
  );
  return row?.epoch ?? 0;
}

/** Moves to the next epoch, or further to `least`. */
export async function moveSessionEpoch(tx: Queryable, realm: string, least = 1): Promise<number> {
  const [row] = await tx.query<{ epoch: number }>(
    `INSERT INTO identity_session_epochs (instance, realm, epoch) VALUES ($instance, $1, $2)
     ON CONFLICT (instance, realm) DO UPDATE SET epoch =
       CASE WHEN identity_session_epochs.epoch < excluded.epoch
         THEN excluded.epoch ELSE identity_session_epochs.epoch + 1 END
     RETURNING epoch`,
    [realm, least],
  );
  return row?.epoch ?? least;
}
