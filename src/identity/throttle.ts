/**
 * Failed sign-ins, counted per user name and per client network. Neither is stored: only a keyed
 * hash of it, which nobody can turn back by trying names.
 */
import { createHmac } from "node:crypto";
import type { Queryable } from "../database/database.ts";
import {
  FORGET_FAILURES_MS,
  recordFailure,
  waitingTime,
  type FailureRecord,
} from "../rules/identity/throttle.ts";
import { clientNetwork } from "./client-network.ts";
import type { InstanceKey } from "./instance-key.ts";

/** What is held against one user name and one client, as it was read. */
export interface Failures {
  readonly waitMs: number;
  readonly recordsBySubject: ReadonlyMap<string, FailureRecord | null>;
}

export interface Throttle {
  read(store: Queryable, username: string, address: string, now: number): Promise<Failures>;
  /** Counts one more. Call it in the transaction that read them. */
  add(store: Queryable, failures: Failures, now: number): Promise<void>;
  clear(store: Queryable, failures: Failures): Promise<void>;
}

interface FailureRow extends Record<string, unknown> {
  readonly subject: string;
  readonly failures: number;
  readonly last_failure_at: number;
  readonly blocked_until: number;
}

export function createThrottle(realm: string, instanceKey: InstanceKey): Throttle {
  const key = instanceKey.derive("identity/throttle");
  const hash = (kind: string, value: string) =>
    createHmac("sha256", key)
      .update(JSON.stringify([realm, kind, value]))
      .digest("base64url");

  return {
    read: async (store, username, address, now) => {
      const subjects = [hash("name", username), hash("network", clientNetwork(address))];
      const rows = await store.query<FailureRow>(
        `SELECT subject, failures, last_failure_at, blocked_until FROM identity_failures
         WHERE realm = $1 AND subject IN ($2, $3)`,
        [realm, ...subjects],
      );
      const records = subjects.map((subject) => rows.find((row) => row.subject === subject));
      const recordsBySubject = new Map(
        subjects.map((subject, index) => [subject, toRecord(records[index])]),
      );
      const waits = [...recordsBySubject.values()].map((record) => waitingTime(record, now));
      return { waitMs: Math.max(...waits), recordsBySubject };
    },
    add: async (store, { recordsBySubject }, now) => {
      for (const [subject, record] of recordsBySubject) {
        const { failures, lastFailureAt, blockedUntil } = recordFailure(record, now);
        await store.query(
          `INSERT INTO identity_failures (realm, subject, failures, last_failure_at, blocked_until)
           VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (realm, subject) DO UPDATE SET failures = excluded.failures,
             last_failure_at = excluded.last_failure_at, blocked_until = excluded.blocked_until`,
          [realm, subject, failures, lastFailureAt, blockedUntil],
        );
      }
    },
    clear: async (store, { recordsBySubject }) => {
      await store.query("DELETE FROM identity_failures WHERE realm = $1 AND subject IN ($2, $3)", [
        realm,
        ...recordsBySubject.keys(),
      ]);
    },
  };
}

export async function pruneFailures(store: Queryable, now: number): Promise<void> {
  await store.query("DELETE FROM identity_failures WHERE last_failure_at <= $1", [
    now - FORGET_FAILURES_MS,
  ]);
}

function toRecord(row: FailureRow | undefined): FailureRecord | null {
  if (row === undefined) return null;
  return {
    failures: row.failures,
    lastFailureAt: row.last_failure_at,
    blockedUntil: row.blocked_until,
  };
}
