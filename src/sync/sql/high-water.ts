/**
 * A file outside the database with the high-water mark of the log. A database that is behind it was put
 * back: then a new generation begins, and every device notices. It is written after each commit; after
 * a power cut it may lag behind, which only hides a rollback to within that moment. The greatest sequence in
 * it never falls, so that the clock of the log outlives its database.
 *
 * A store compares its database with the file when it is opened, and while the process runs.
 *
 * The file has the session epoch too, in its second line, because processes that share the file know of
 * revocations at different times.
 */
import type { Database } from "../../database/database.ts";
import { openLineFile } from "../../database/line-file.ts";
import type { RollbackFindings } from "../../database/store-kind.ts";
import {
  createSessionEpochFile,
  prepareSessions,
  type SessionEpochFile,
} from "../../identity/session-epoch.ts";
import { joinClocks } from "../../rules/sync/log-clock.ts";
import { countSqlRollback } from "../../identity/sql-identity-records.ts";
import { SYNC_REALM } from "../store.ts";
import { CHANGES_CHANNEL, type StoredHead } from "./log-head.ts";
import { prepareLog, type HighWater } from "./prepare-log.ts";
import { SYNC_SESSIONS } from "./sql-sessions.ts";

export interface HighWaterFile extends SessionEpochFile {
  /** The mark of the file; null when the file is missing or unreadable. */
  read(): HighWater | null;
  /** Writes the mark, unless another process has written a later one of the same generation. */
  write(mark: HighWater): void;
  /** Writes the mark after a commit; false, and no change, when the commit does not reach the file's mark. */
  advance(mark: HighWater): boolean;
}

const LINE = 0;

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

export function openHighWaterFile(path: string): HighWaterFile {
  const file = openLineFile(path);
  const read = (): HighWater | null => {
    const { generation, headOffset, greatestSequence } = file.read(LINE) ?? {};
    if (typeof generation !== "string" || !isInteger(headOffset)) return null;
    if (!isInteger(greatestSequence)) return null;
    return {
      generation,
      headOffset,
      clock: { greatestSequence, takesAnySequence: greatestSequence === 0 },
    };
  };
  const replace = (known: HighWater | null, { generation, headOffset, clock }: HighWater) => {
    const { greatestSequence } = known === null ? clock : joinClocks([known.clock, clock]);
    file.write(LINE, { generation, headOffset, greatestSequence });
  };
  return {
    ...createSessionEpochFile(file),
    read,
    write(mark) {
      const known = read();
      const isWritten =
        known?.generation === mark.generation &&
        known.headOffset >= mark.headOffset &&
        known.clock.greatestSequence >= mark.clock.greatestSequence;
      if (!isWritten) replace(known, mark);
    },
    advance(mark) {
      const known = read();
      const isReached =
        known === null ||
        (known.generation === mark.generation && known.headOffset <= mark.headOffset);
      if (isReached) replace(known, mark);
      return isReached;
    },
  };
}

export interface RollbackWatch {
  /** Called after a commit that moved the head. */
  onHead(head: StoredHead): void;
  /** Called after a commit that revoked sessions. */
  onSessionEpoch(epoch: number): void;
  check(): Promise<void>;
  close(): void;
}

/** Compares the database with the file, and brings both up to date. Whatever notices first counts it. */
export async function prepareStore(
  database: Database,
  highWater: HighWaterFile,
): Promise<RollbackFindings> {
  const { head, wasRolledBack } = await prepareLog(database, highWater.read());
  highWater.write(head);
  const sessions = await prepareSessions(database, SYNC_SESSIONS, highWater.readSessionEpoch());
  highWater.writeSessionEpoch(sessions.epoch);
  if (wasRolledBack || sessions.wereRevoked) {
    await database.transaction(async (tx) => tx.notify(CHANGES_CHANNEL));
    await countSqlRollback(database, SYNC_REALM);
  }
  return { wasRolledBack, sessionsWereRevoked: sessions.wereRevoked };
}

/** Processes that share the file overtake each other, so a sign is looked into, but not each at once. */
const CHECK_DELAY_MS = 1000;

/**
 * Notices that the database was rolled back while this process runs: PostgreSQL is restored from a dump
 * under its clients. A commit that does not reach the high-water mark is the sign, and the mark stays.
 */
export function watchForRollback(
  database: Database,
  highWater: HighWaterFile,
  onRollback: ((findings: RollbackFindings) => void) | undefined,
): RollbackWatch {
  let timer: NodeJS.Timeout | undefined;
  const check = async (checked = database) => {
    const findings = await prepareStore(checked, highWater);
    if (findings.wasRolledBack || findings.sessionsWereRevoked) onRollback?.(findings);
  };
  const checkSoon = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      // A store that is not available now is checked by the next commit, or when it is pruned.
      check().catch(() => {});
    }, CHECK_DELAY_MS).unref();
  };
  database.onServerChange(check);
  return {
    onHead(head) {
      if (!highWater.advance(head)) checkSoon();
    },
    onSessionEpoch(epoch) {
      if (epoch > (highWater.readSessionEpoch() ?? -1)) highWater.writeSessionEpoch(epoch);
      else checkSoon();
    },
    check: () => check(),
    close: () => clearTimeout(timer),
  };
}
