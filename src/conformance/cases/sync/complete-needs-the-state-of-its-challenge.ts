import { expectError } from "../../sync/bodies.ts";
import { challenge, completion, complete } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

export const completeNeedsTheStateOfItsChallenge: SyncCase = {
  id: "complete-needs-the-state-of-its-challenge",
  title: "complete with another state than the one that began answers no code",
  section: "sync contract, Authentication 4: matching state",
  async run(target) {
    await target.failing(async () => {
      const done = await completion(target, await challenge(target));
      const csrf = "another-state-0123456789";
      const answer = await complete(target, { ...done, csrf });
      expectError(answer, "csrf_failed", "authentication_failed");
    });
  },
};
