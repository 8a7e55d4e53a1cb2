/**
 * Failed sign-ins, counted per user name and per client network. Neither is stored: only a keyed
 * hash of it, which nobody can turn back by trying names.
 */
import { createHmac } from "node:crypto";
import {
  forgiveFailures,
  recordFailure,
  waitingTime,
  type FailureRecord,
} from "../rules/identity/throttle.ts";
import { clientNetwork } from "./client-network.ts";
import type { IdentityRecords } from "./identity-records.ts";
import type { InstanceKey } from "./instance-key.ts";

interface Held {
  readonly subject: string;
  readonly record: FailureRecord | null;
}

/** What is held against one user name and one client network, as it was read. */
export interface Failures {
  readonly waitMs: number;
  readonly name: Held;
  readonly network: Held;
}

export interface Throttle {
  read(records: IdentityRecords, username: string, address: string, now: number): Promise<Failures>;
  /** Counts one more. Call it in the transaction that read them. */
  add(records: IdentityRecords, failures: Failures, now: number): Promise<void>;
  /** After a success: see `isShared`. */
  clear(records: IdentityRecords, failures: Failures): Promise<void>;
}

export interface ThrottleOptions {
  /**
   * Whether the realm has several people. Then a success forgives the network only as many failures
   * as the name had: or who has an account could guess at other names, and sign in before each wait.
   */
  readonly isShared?: boolean;
}

export function createThrottle(
  realm: string,
  instanceKey: InstanceKey,
  { isShared = false }: ThrottleOptions = {},
): Throttle {
  const key = instanceKey.derive("identity/throttle");
  const hash = (kind: string, value: string) =>
    createHmac("sha256", key)
      .update(JSON.stringify([realm, kind, value]))
      .digest("base64url");

  return {
    read: async (records, username, address, now) => {
      const ofName = hash("name", username);
      const ofNetwork = hash("network", clientNetwork(address));
      const found = await records.readFailures([ofName, ofNetwork]);
      const name = { subject: ofName, record: found.get(ofName) ?? null };
      const network = { subject: ofNetwork, record: found.get(ofNetwork) ?? null };
      const waits = [name, network].map(({ record }) => waitingTime(record, now));
      return { waitMs: Math.max(...waits), name, network };
    },
    add: async (records, { name, network }, now) => {
      for (const { subject, record } of [name, network]) {
        await records.writeFailure(subject, recordFailure(record, now));
      }
    },
    clear: async (records, { name, network }) => {
      const rest = isShared ? forgiveFailures(network.record, name.record) : null;
      if (rest === null) return records.clearFailures([name.subject, network.subject]);
      await records.clearFailures([name.subject]);
      await records.writeFailure(network.subject, rest);
    },
  };
}
