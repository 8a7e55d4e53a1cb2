/**
 * Failed sign-ins, counted per user name and per client network. The store has only keyed hashes of
 * both, which cannot be reversed by trying names.
 */
import {
  beginsDelay,
  recordFailure,
  waitingTime,
  type FailureRecord,
} from "../rules/identity/throttle.ts";
import { clientNetwork } from "./client-network.ts";
import type { IdentityRecords } from "./identity-records.ts";
import { createKeyedHash, type InstanceKey } from "./instance-key.ts";

/** The failures of one user name and one client network, as they were read. */
export interface Failures {
  readonly waitMs: number;
  readonly recordsBySubject: ReadonlyMap<string, FailureRecord | null>;
}

export interface Throttle {
  read(records: IdentityRecords, username: string, address: string, now: number): Promise<Failures>;
  /**
   * Adds one, and returns whether a delay begins. Call it in the transaction that read the failures.
   */
  add(records: IdentityRecords, failures: Failures, now: number): Promise<boolean>;
  clear(records: IdentityRecords, failures: Failures): Promise<void>;
}

export function createThrottle(realm: string, instanceKey: InstanceKey): Throttle {
  const hash = createKeyedHash(instanceKey, "identity/throttle");

  return {
    read: async (records, username, address, now) => {
      const subjects = [
        hash(realm, "name", username),
        hash(realm, "network", clientNetwork(address)),
      ];
      const found = await records.readFailures(subjects);
      const recordsBySubject = new Map(
        subjects.map((subject) => [subject, found.get(subject) ?? null]),
      );
      const waits = [...recordsBySubject.values()].map((record) => waitingTime(record, now));
      return { waitMs: Math.max(...waits), recordsBySubject };
    },
    add: async (records, { recordsBySubject }, now) => {
      let begins = false;
      for (const [subject, record] of recordsBySubject) {
        const failure = recordFailure(record, now);
        begins ||= beginsDelay(failure);
        await records.writeFailure(subject, failure);
      }
      return begins;
    },
    clear: (records, { recordsBySubject }) => records.clearFailures([...recordsBySubject.keys()]),
  };
}
