import { expectEach } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { challenge, completion, complete } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

export const proofsAreBoundToTheirAttempt: SyncCase = {
  id: "proofs-are-bound-to-their-attempt",
  title: "A proof made for another device, redirect, challenge or attempt is none for this one",
  section:
    "sync contract, Authentication 1: bound to the challenge; Trellis decision, sync service: AuthMessage",
  async run(target) {
    await target.failing(async () => {
      const changes = [
        { deviceId: "another-device" },
        { redirectUri: "https://elsewhere.example/callback" },
        { codeChallenge: "a".repeat(43) },
        { attemptId: "another-attempt" },
      ];
      await expectEach(changes, async (change) => {
        const challenged = await challenge(target);
        const attempt = { ...challenged.attempt, ...change };
        const body = await completion(target, { ...challenged, attempt });
        expectError(await complete(target, body), "authentication_failed");
      });
    });
  },
};
