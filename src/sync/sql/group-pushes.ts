/** Pushes that wait for the writer together are written as one group. */
import { StorageUnavailableError, type Database } from "../../database/database.ts";
import type { AppendResult, OperationStore } from "../store.ts";
import { appendPushes, type PendingPush } from "./append-pushes.ts";
import type { StoredHead } from "./log-head.ts";

interface WaitingPush extends PendingPush {
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: unknown) => void;
}

interface Group {
  readonly pushes: WaitingPush[];
  characters: number;
}

/** Bounds on how long the first of a group waits for the last, and on the size of a statement. */
const MAX_PUSHES = { postgres: 64, sqlite: 1 };
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** PostgreSQL takes about a tenth of the time of a push to plan its two statements. */
const KEEPING_PLANS = { keepsPlans: true };

/**
 * Pushes that wait for the writer together are a group. On PostgreSQL it is one unit of work, so that it
 * costs as many round trips as one push. SQLite has no round trips, and the transactions of its write
 * queue share a commit already.
 *
 * `onCommit` is called after each commit that moved the head, before its pushes are acknowledged;
 * `onGroup` after each transaction, with how many pushes it had.
 */
export function createAppender(
  database: Database,
  onCommit: (head: StoredHead) => void,
  onGroup?: (pushes: number) => void,
): OperationStore["append"] {
  const maxPushes = MAX_PUSHES[database.dialect];
  /** The group whose transaction has not begun to work. */
  let open: Group | null = null;

  function join(push: WaitingPush): void {
    const characters = push.operations.reduce((sum, { text }) => sum + text.length, 0);
    const hasRoom =
      open !== null &&
      open.pushes.length < maxPushes &&
      open.characters + characters <= MAX_CHARACTERS;
    if (open !== null && hasRoom) {
      open.pushes.push(push);
      open.characters += characters;
    } else {
      open = { pushes: [push], characters };
      void write(open);
    }
  }

  function close(group: Group): void {
    if (open === group) open = null;
  }

  async function write(group: Group): Promise<void> {
    const { pushes } = group;
    try {
      const { head, hasMoved, results } = await database.transaction((tx) => {
        close(group);
        return appendPushes(tx, database.dialect, pushes);
      }, KEEPING_PLANS);
      if (hasMoved) onCommit(head);
      onGroup?.(pushes.length);
      for (const [index, { resolve }] of pushes.entries()) resolve(results[index] as AppendResult);
    } catch (error) {
      // The transaction of the group may not even have begun.
      close(group);
      await fail(group, error);
    }
  }

  /** A push must not fail because of another, so each of them is written again by itself. */
  async function fail({ pushes }: Group, error: unknown): Promise<void> {
    if (pushes.length === 1 || error instanceof StorageUnavailableError) {
      for (const { reject } of pushes) reject(error);
      return;
    }
    for (const push of pushes) await write({ pushes: [push], characters: 0 });
  }

  return (operations, now, proof = null) =>
    new Promise((resolve, reject) => {
      join({ operations, now, proof, resolve, reject });
    });
}
