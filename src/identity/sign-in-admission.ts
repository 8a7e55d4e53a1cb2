/** What stands between a flood of sign-ins and their transactions, the cheapest check first. */
import { createBoundedCache } from "../contract/bounded-cache.ts";
import { inTurn } from "../database/in-turn.ts";
import { clientNetworks, networkShares, type NetworkShare } from "./client-network.ts";
import type { IdentityRecords } from "./identity-records.ts";
import {
  clientShares,
  identifyClient,
  isKnownBrowser,
  type IdentifiedRequest,
  type SignInClient,
} from "./known-browsers.ts";
import { toThrottled, type Throttled } from "./sign-in.ts";
import type { Throttle } from "./throttle.ts";

type LimitResult =
  | { readonly kind: "allowed" }
  | { readonly kind: "limited"; readonly retryAfterSeconds: number };

export interface SignInAdmissionSettings {
  /** Reads that do not wait for writers. */
  readonly reads: Pick<IdentityRecords, "findKnownBrowsers" | "readFailures">;
  readonly throttle: Throttle;
  /** Sign-ins that a client, or its networks together, may begin. */
  readonly limiter: {
    consumeEach(shares: readonly NetworkShare[]): Promise<LimitResult>;
    admit(shares: readonly NetworkShare[], times: number): LimitResult;
  };
  now(): number;
}

export type SignInOrigin = Omit<IdentifiedRequest, "username">;

/** A name that waits is not read again for that long: no stranger can sign in to it, and so end the wait, in between. */
const REMEMBERED_MS = 1000;
/** A name that is evicted is read again. */
const MAX_REMEMBERED = 1000;

/** A sign-in is two requests, and a person may repeat them; a flood is thousands. */
const REQUESTS_PER_SIGN_IN = 10;

export function createSignInAdmission({ reads, throttle, limiter, now }: SignInAdmissionSettings) {
  const waits = createBoundedCache<string, { readonly readAt: number; readonly until: number }>(
    MAX_REMEMBERED,
  );

  /** What a client that is not known still has to wait for a name, as it was read lately. */
  function rememberedWait(username: string): number {
    const wait = waits.get(username);
    const age = now() - (wait?.readAt ?? -Infinity);
    return wait !== undefined && age >= 0 && age < REMEMBERED_MS ? wait.until - now() : 0;
  }

  return {
    /** Counts a request of an address, in memory, before its body is read. */
    consume: async (address: string) =>
      limiter.admit(networkShares(clientNetworks(address)), REQUESTS_PER_SIGN_IN),

    isKnownBrowser: (knownBrowser: string | null) => isKnownBrowser(reads, knownBrowser, now()),

    /** Begins a sign-in by `begin`, unless its client or its name must wait. */
    async begin<T>(
      request: IdentifiedRequest,
      begin: (client: SignInClient) => Promise<T>,
    ): Promise<T | Throttled> {
      const { username } = request;
      const remembered = request.knownBrowser === null ? rememberedWait(username) : 0;
      if (remembered > 0) return toThrottled(remembered);
      const readAt = now();
      const client = await identifyClient(reads, request, readAt);
      // The transaction reads the failures again; this spares a sign-in that waits every write.
      const { waitMs, nameWaitMs } = await throttle.read(reads, username, client, readAt);
      if (nameWaitMs > 0) waits.set(username, { readAt, until: readAt + nameWaitMs });
      if (waitMs > 0) return toThrottled(waitMs);
      return inLine(client.kind === "known-browser", async () => {
        const limit = await limiter.consumeEach(clientShares(client));
        return limit.kind === "limited" ? { ...limit, kind: "throttled" } : begin(client);
      });
    },

    /** A flood of proofs waits for its turns; a browser that is known does not wait behind it. */
    async complete<T>({ knownBrowser }: SignInOrigin, complete: () => Promise<T>): Promise<T> {
      return inLine(await isKnownBrowser(reads, knownBrowser, now()), complete);
    },
  };
}

function inLine<T>(isKnown: boolean, work: () => Promise<T>): Promise<T> {
  return isKnown ? work() : inTurn("stranger", work);
}
