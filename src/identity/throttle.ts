/**
 * Failed sign-ins. Those of strangers are counted per user name and per client network; those of a
 * known browser are counted for it alone. The store has only keyed hashes, which cannot be reversed by
 * trying names.
 */
import {
  beginsDelay,
  recordFailure,
  waitingTime,
  type FailureRecord,
} from "../rules/identity/throttle.ts";
import type { IdentityRecords } from "./identity-records.ts";
import { createKeyedHash, type InstanceKey } from "./instance-key.ts";
import { clientKey, type SignInClient } from "./known-browsers.ts";

/** The failures that count for one attempt, as they were read. */
export interface Failures {
  readonly waitMs: number;
  readonly recordsBySubject: ReadonlyMap<string, FailureRecord | null>;
  /** Never that of the network, which an attacker could clear by signing in to an own account. */
  readonly clearedBySuccess: string;
}

export interface Throttle {
  read(
    records: IdentityRecords,
    username: string,
    client: SignInClient,
    now: number,
  ): Promise<Failures>;
  /** Adds one, and returns whether a delay begins. Call it in the transaction that read the failures. */
  add(records: IdentityRecords, failures: Failures, now: number): Promise<boolean>;
  clear(records: IdentityRecords, failures: Failures): Promise<void>;
  /** The same for all requests of one client. */
  hashClient(client: SignInClient): string;
}

export function createThrottle(realm: string, instanceKey: InstanceKey): Throttle {
  const hash = createKeyedHash(instanceKey, "identity/throttle");
  const subjectsOf = (username: string, client: SignInClient): [string, ...string[]] =>
    client.kind === "known-browser"
      ? [hash(realm, "browser", client.hash)]
      : [hash(realm, "name", username), hash(realm, "network", client.network)];

  return {
    read: async (records, username, client, now) => {
      const subjects = subjectsOf(username, client);
      const found = await records.readFailures(subjects);
      const recordsBySubject = new Map(
        subjects.map((subject) => [subject, found.get(subject) ?? null]),
      );
      const waits = [...recordsBySubject.values()].map((record) => waitingTime(record, now));
      return { waitMs: Math.max(...waits), recordsBySubject, clearedBySuccess: subjects[0] };
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
    clear: (records, { clearedBySuccess }) => records.clearFailures([clearedBySuccess]),
    hashClient: (client) => hash(realm, "client", clientKey(client)),
  };
}
