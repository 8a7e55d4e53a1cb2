import { expectCompleted, expectError } from "../../sync/bodies.ts";
import { challenge, completion, complete } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

export const challengesWorkOnce: SyncCase = {
  id: "challenges-work-once",
  title: "A challenge that was answered rightly cannot be answered again",
  section: "Trellis decision, sync service: challenges",
  async run(target) {
    await target.failing(async () => {
      const body = await completion(target, await challenge(target));
      expectCompleted(await complete(target, body));
      expectError(await complete(target, body), "authentication_failed");
    });
  },
};
