import { expectError } from "../../sync/bodies.ts";
import { challenge, completion, complete } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

export const wrongProofsConsumeTheChallenge: SyncCase = {
  id: "wrong-proofs-consume-the-challenge",
  title: "A challenge that was answered wrongly cannot be answered again, not even rightly",
  section: "Trellis decision, sync service: challenges",
  async run(target) {
    await target.failing(async () => {
      const challenged = await challenge(target);
      const wrong = await completion(target, challenged, "a wrong password");
      expectError(await complete(target, wrong), "authentication_failed");
      const right = await completion(target, challenged);
      expectError(await complete(target, right), "authentication_failed");
    });
  },
};
