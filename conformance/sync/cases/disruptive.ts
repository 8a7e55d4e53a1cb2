import { KNOWN_BROWSER_HEADER } from "../../../src/contract/identity.ts";
import { FREE_FAILURES } from "../../../src/rules/identity/throttle.ts";
import { skipUnless } from "../../case.ts";
import { expectEach, expectHeaderMatch, fail } from "../../expect.ts";
import type { ReceivedResponse } from "../../http.ts";
import { expectSignedIn, expectSignedOut } from "../device.ts";
import { expectCompleted, expectError, expectRevoked } from "../expectations.ts";
import { syncCases, type SyncServerUnderTest } from "../server-under-test.ts";
import {
  asKnownBrowser,
  becomeKnownBrowser,
  createAttempt,
  obtainCode,
  postBegin,
  postCompletion,
  proveNewChallenge,
  requestChallenge,
  toCompletion,
  type ChallengedAttempt,
} from "../sign-in.ts";

/** These cases need a permission in the input; no other case can run beside one of them. */
export const REVOCATION_CASES = syncCases({
  "revoke-all-ends-every-device": {
    title: "POST /v1/revoke with scope all ends every device's session at once",
    section: "sync contract, POST /v1/revoke: every device",
    async run(server) {
      skipUnless(server.input.allowRevokeAll === true, REVOKE_ALL_REASON);
      const [device, other] = [await server.signIn(), await server.signIn()];
      const response = await device.post("/v1/revoke", { scope: "all" });
      const { revoked } = expectRevoked(response);
      if (revoked < 2) fail(response, "at least two devices", String(revoked));
      await expectSignedOut(device, server.api);
      await expectSignedOut(other, server.api);
      await expectSignedIn(await server.signIn());
    },
  },
  "revoke-all-ends-sign-ins-in-flight": {
    title: "POST /v1/revoke with scope all ends codes that were not redeemed, and begun sign-ins",
    section: "Trellis decision, sync service: codes and challenges in flight",
    async run(server) {
      skipUnless(server.input.allowRevokeAll === true, REVOKE_ALL_REASON);
      const device = await server.signIn();
      const tokenRequest = await obtainCode(server);
      const completion = await proveNewChallenge(server);
      expectRevoked(await device.post("/v1/revoke", { scope: "all" }));
      expectError(await server.post("/v1/token", tokenRequest), "invalid_grant");
      expectError(await postCompletion(server, completion), "authentication_failed");
      await expectSignedIn(await server.signIn());
    },
  },
});

/** These cases need a permission in the input; only a known browser can sign in after the first of them. */
export const THROTTLE_CASES = syncCases({
  "failures-are-throttled": {
    title:
      "After five wrong proofs the next attempt is 429 with Retry-After, at begin and at complete",
    section: "Trellis decision, sync service: throttle",
    async run(server) {
      const { failed, throttled } = await throttleAddress(server);
      await expectEach(failed, (response) => void expectError(response, "authentication_failed"));
      await expectEach(throttled, (response) => {
        expectError(response, "rate_limited");
        expectHeaderMatch(response, "Retry-After", /^[1-9][0-9]*$/, "whole seconds");
      });
    },
  },
  "known-browsers-are-not-locked-out": {
    title:
      "A browser that signed in before signs in while others from its address are throttled, and gets a new value",
    section: "Trellis decision, sync service: known browsers",
    async run(server) {
      const browser = await throttledKnownBrowser(server);
      const values = new Set<string | undefined>();
      for (let count = 0; count < 2; count++) {
        const response = await postCompletion(browser, await proveNewChallenge(browser));
        expectCompleted(response);
        values.add(response.header(HEADER));
      }
      if (values.has(undefined) || values.size < 2) {
        fail(
          "POST /v1/authorize complete",
          `a new ${HEADER} with every sign-in`,
          "none, or the same",
        );
      }
    },
  },
  "known-browsers-outlive-a-lost-response": {
    title:
      "A browser that did not receive its new value signs in with the old one, and is still known",
    section: "Trellis decision, sync service: known browsers",
    async run(server) {
      const browser = await throttledKnownBrowser(server);
      const kept = await postCompletion(browser, await proveNewChallenge(browser));
      expectCompleted(kept);
      const forgetful = asKnownBrowser(server.withoutWaiting(), kept.header(HEADER) ?? "");
      for (let count = 0; count < 2; count++) {
        expectCompleted(await postCompletion(forgetful, await proveNewChallenge(forgetful)));
      }
    },
  },
});

const HEADER = KNOWN_BROWSER_HEADER;
const REVOKE_ALL_REASON = "It would sign every device out; allow it with --allow-revoke-all";
const THROTTLE_REASON =
  "Sign-ins from this address would be refused for a while after it; allow it with --allow-throttle";

interface ThrottledAddress {
  /** A browser that signed in before the failures; null when the server knows no browsers. */
  readonly browser: SyncServerUnderTest | null;
  readonly failed: readonly ReceivedResponse[];
  readonly throttled: readonly ReceivedResponse[];
}

const throttledAddresses = new WeakMap<SyncServerUnderTest, Promise<ThrottledAddress>>();

async function throttledKnownBrowser(server: SyncServerUnderTest): Promise<SyncServerUnderTest> {
  const { browser } = await throttleAddress(server);
  skipUnless(browser !== null, `The server knows no browsers: it sends no ${HEADER}`);
  return browser;
}

/** Throttles the address once in a run: several cases need the same state. */
async function throttleAddress(server: SyncServerUnderTest): Promise<ThrottledAddress> {
  skipUnless(server.input.allowThrottle === true, THROTTLE_REASON);
  const known = throttledAddresses.get(server);
  if (known !== undefined) return known;
  const throttled = sendWrongProofs(server.withoutWaiting());
  throttledAddresses.set(server, throttled);
  return throttled;
}

async function sendWrongProofs(server: SyncServerUnderTest): Promise<ThrottledAddress> {
  const browser = await becomeKnownBrowser(server);
  const username = server.newId("nobody");
  const challenged: ChallengedAttempt[] = [];
  for (let count = 0; count <= FREE_FAILURES; count++) {
    challenged.push(await requestChallenge(server, { username }));
  }
  const wrong = { proof: "A".repeat(43), clientNonce: "A".repeat(43) };
  const completeWrongly = (item: ChallengedAttempt) =>
    postCompletion(server, toCompletion(item, wrong));
  const failed: ReceivedResponse[] = [];
  // Failures of the address from before count too.
  for (const item of challenged.slice(0, FREE_FAILURES)) {
    const response = await completeWrongly(item);
    if (response.status === 429) break;
    failed.push(response);
  }
  const { attempt } = await createAttempt(server, { username });
  const throttled = [await postBegin(server, attempt)];
  for (const item of challenged.slice(FREE_FAILURES)) throttled.push(await completeWrongly(item));
  return { browser, failed, throttled };
}
