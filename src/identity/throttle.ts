/**
 * Failed sign-ins. Those of unknown clients are counted per user name, per client and per site, which is
 * the network /48 or /24 of the client; those of a known browser are counted for it alone. The store has
 * only keyed hashes, which cannot be reversed by trying names.
 */
import {
  beginsDelay,
  FREE_FAILURES,
  FREE_SITE_FAILURES,
  isDelayed,
  recordFailure,
  waitingTime,
  type FailureRecord,
} from "../rules/identity/throttle.ts";
import type { ChallengeClient, IdentityRecords } from "./identity-records.ts";
import { createKeyedHash, type InstanceKey } from "./instance-key.ts";
import type { SignInClient } from "./known-browsers.ts";

/** The failures that count for one attempt, as they were read. */
export interface Failures {
  readonly waitMs: number;
  /** The part of the name, which is the same for every client that is not known. */
  readonly nameWaitMs: number;
  readonly counters: readonly FailureCounter[];
  /** Never the counter of a network, which an attacker could clear by signing in to an own account. */
  readonly clearedBySuccess: string;
}

interface FailureCounter extends CountedSubject {
  readonly record: FailureRecord | null;
}

interface CountedSubject {
  readonly scope: "name" | "network" | "site" | "browser";
  readonly subject: string;
}

export type Throttle = ReturnType<typeof createThrottle>;

export function createThrottle(realm: string, instanceKey: InstanceKey) {
  const keyedHash = createKeyedHash(instanceKey, "identity/throttle");
  const hash = (scope: string, value: string) => keyedHash(realm, scope, value);
  const subjectsOf = (
    username: string,
    client: SignInClient,
  ): [CountedSubject, ...CountedSubject[]] => {
    const counted = (scope: CountedSubject["scope"], value: string): CountedSubject => ({
      scope,
      subject: hash(scope, value),
    });
    if (client.kind === "known-browser") return [counted("browser", client.hash)];
    const [, site, own] = client.networks;
    return [counted("name", username), counted("network", own), counted("site", site)];
  };

  return {
    async read(
      records: Pick<IdentityRecords, "readFailures">,
      username: string,
      client: SignInClient,
      now: number,
    ): Promise<Failures> {
      const subjects = subjectsOf(username, client);
      const found = await records.readFailures(subjects.map(({ subject }) => subject));
      const counters = subjects.map((counted) => ({
        ...counted,
        record: found.get(counted.subject) ?? null,
      }));
      const waitOf = (record: FailureRecord | null) => waitingTime(record, now);
      const byName = counters.find(({ scope }) => scope === "name");
      return {
        waitMs: Math.max(...counters.map(({ record }) => waitOf(record))),
        nameWaitMs: waitOf(byName?.record ?? null),
        counters,
        clearedBySuccess: subjects[0].subject,
      };
    },
    add: addFailure,
    clear: (records: IdentityRecords, { clearedBySuccess }: Failures) =>
      records.clearFailures([clearedBySuccess]),
    /** The hashes are the same for all requests of one client. */
    hashClient(client: SignInClient): ChallengeClient {
      if (client.kind === "unknown") {
        const [provider, site, own] = client.networks;
        return {
          isKnown: false,
          groups: [hash("provider", provider), hash("site", site), hash("client", own)],
        };
      }
      const browser = hash("browser", client.hash);
      return { isKnown: true, groups: [hash("account", client.accountId), browser, browser] };
    },
  };
}

/** Adds one, and returns whether a delay begins. Call it in the transaction that read the failures. */
async function addFailure(
  records: IdentityRecords,
  { counters }: Failures,
  now: number,
): Promise<boolean> {
  const isClientDelayed = counters.some(
    ({ scope, record }) => scope === "network" && isDelayed(record, now),
  );
  let begins = false;
  for (const { scope, subject, record } of counters) {
    // A client that has delays of its own must not be able to delay its neighbours.
    if (scope === "site" && isClientDelayed) continue;
    const free = scope === "site" ? FREE_SITE_FAILURES : FREE_FAILURES;
    const failure = recordFailure(record, now, free);
    begins ||= beginsDelay(failure, free);
    await records.writeFailure(subject, failure);
  }
  return begins;
}
