import { expectEach, expectSame } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { challenge, completion, complete, type Completion } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

export const wrongProofsAreAllAlike: SyncCase = {
  id: "wrong-proofs-are-all-alike",
  title:
    "Wrong, malformed, too short or too long: every failed proof has the same status, code and message",
  section:
    "sync contract, Authentication 6: deliberately generic; Trellis decision, sync service: wrong in any way",
  async run(target) {
    const messages = new Set<string>();
    const fail = async (change: (right: Completion) => Partial<Completion>) => {
      const right = await completion(target, await challenge(target));
      const answer = await complete(target, { ...right, ...change(right) });
      messages.add(expectError(answer, "authentication_failed").message);
    };
    const changes: ((right: Completion) => Partial<Completion>)[] = [
      () => ({ proof: "" }),
      () => ({ proof: "A".repeat(43) }),
      ({ proof }) => ({ proof: proof.slice(0, -2) }),
      ({ proof }) => ({ proof: `${proof}AA` }),
      () => ({ clientNonce: "" }),
      () => ({ clientNonce: "another-nonce-0123456789" }),
      () => ({ challengeId: "" }),
      () => ({ challengeId: "A".repeat(43) }),
    ];
    // Half at a time: four failures in a row is what the throttle lets pass.
    for (const half of [changes.slice(0, 4), changes.slice(4)]) {
      await target.failing(() => expectEach(half, fail));
    }
    expectSame("POST /v1/authorize complete, wrongly", "number of messages", messages.size, 1);
  },
};
