import { expectError } from "../../sync/bodies.ts";
import { challenge, completion, complete } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

export const malformedProofsConsumeTheChallenge: SyncCase = {
  id: "malformed-proofs-consume-the-challenge",
  title: "A proof that is a string but none at all uses the challenge up too",
  section: "Trellis decision, sync service: wrong in any way",
  async run(target) {
    await target.failing(async () => {
      const right = await completion(target, await challenge(target));
      expectError(await complete(target, { ...right, proof: "!" }), "authentication_failed");
      expectError(await complete(target, right), "authentication_failed");
    });
  },
};
