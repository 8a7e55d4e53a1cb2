import { FREE_FAILURES } from "../../../rules/identity/throttle.ts";
import { NotTestable } from "../../case.ts";
import { expectEach, expectHeaderMatch } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { newAttempt, begin, challenge, complete, type Challenged } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

export const failuresAreThrottled: SyncCase = {
  id: "failures-are-throttled",
  title:
    "After five wrong proofs the next attempt is 429 with Retry-After, at begin and at complete",
  section: "Trellis decision, sync service: throttle",
  async run(target) {
    if (target.input.allowThrottle !== true) {
      throw new NotTestable(
        "Nobody at this address could sign in for a while after it; allow it with --allow-throttle",
      );
    }
    const username = target.newId("nobody");
    const opened: Challenged[] = [];
    for (let count = 0; count <= FREE_FAILURES; count++)
      opened.push(await challenge(target, { username }));
    const wrong = { proof: "A".repeat(43), clientNonce: "A".repeat(43) };
    const answer = ({ attempt, challenge: { challengeId } }: Challenged) =>
      complete(target, { action: "complete", csrf: attempt.state, challengeId, ...wrong });
    for (const challenged of opened.slice(0, FREE_FAILURES)) {
      expectError(await answer(challenged), "authentication_failed");
    }
    const last = opened[FREE_FAILURES];
    const { attempt } = await newAttempt(target, { username });
    const refused = [
      await begin(target, attempt),
      ...(last === undefined ? [] : [await answer(last)]),
    ];
    await expectEach(refused, (throttled) => {
      expectError(throttled, "rate_limited");
      expectHeaderMatch(throttled, "Retry-After", /^[1-9][0-9]*$/, "whole seconds");
    });
  },
};
