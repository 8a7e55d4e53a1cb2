import { FREE_FAILURES } from "../../../rules/identity/throttle.ts";
import { skipUnless } from "../../case.ts";
import { expectEach, expectHeaderMatch, fail } from "../../expect.ts";
import { expectSignedIn, expectSignedOut } from "../device.ts";
import { expectError, expectRevoked } from "../expectations.ts";
import type { SyncCase } from "../server-under-test.ts";
import {
  createAttempt,
  postBegin,
  postCompletion,
  requestChallenge,
  toCompletion,
  type ChallengedAttempt,
} from "../sign-in.ts";

/** Needs a permission in the input, and no other case can run beside it. */
export const REVOKE_ALL_CASE: SyncCase = {
  id: "revoke-all-ends-every-device",
  title: "POST /v1/revoke with scope all ends every device's session at once",
  section: "sync contract, POST /v1/revoke: every device",
  async run(server) {
    const reason = "It would sign every device out; allow it with --allow-revoke-all";
    skipUnless(server.input.allowRevokeAll === true, reason);
    const [device, other] = [await server.signIn(), await server.signIn()];
    const response = await device.post("/v1/revoke", { scope: "all" });
    const { revoked } = expectRevoked(response);
    if (revoked < 2) fail(response.asked, "at least two devices", String(revoked));
    await expectSignedOut(device, server.api);
    await expectSignedOut(other, server.api);
    await expectSignedIn(await server.signIn());
  },
};

/** Needs a permission in the input, and no case can sign in after it. */
export const THROTTLE_CASE: SyncCase = {
  id: "failures-are-throttled",
  title:
    "After five wrong proofs the next attempt is 429 with Retry-After, at begin and at complete",
  section: "Trellis decision, sync service: throttle",
  async run(server) {
    skipUnless(
      server.input.allowThrottle === true,
      "Nobody at this address could sign in for a while after it; allow it with --allow-throttle",
    );
    const username = server.newId("nobody");
    const challenged: ChallengedAttempt[] = [];
    for (let count = 0; count <= FREE_FAILURES; count++) {
      challenged.push(await requestChallenge(server, { username }));
    }
    const wrong = { proof: "A".repeat(43), clientNonce: "A".repeat(43) };
    const completeWrongly = (item: ChallengedAttempt) =>
      postCompletion(server, toCompletion(item, wrong));
    for (const item of challenged.slice(0, FREE_FAILURES)) {
      expectError(await completeWrongly(item), "authentication_failed");
    }
    const { attempt } = await createAttempt(server, { username });
    const throttled = [await postBegin(server, attempt)];
    for (const item of challenged.slice(FREE_FAILURES)) throttled.push(await completeWrongly(item));
    await expectEach(throttled, (response) => {
      expectError(response, "rate_limited");
      expectHeaderMatch(response, "Retry-After", /^[1-9][0-9]*$/, "whole seconds");
    });
  },
};
