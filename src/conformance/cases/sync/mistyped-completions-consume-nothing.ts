import { expectEach } from "../../expect.ts";
import { expectCompleted, expectError } from "../../sync/bodies.ts";
import { postAuthorize, challenge, completion, complete } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

export const mistypedCompletionsConsumeNothing: SyncCase = {
  id: "mistyped-completions-consume-nothing",
  title:
    "A complete with missing, unknown or mistyped members is invalid_request and leaves the challenge",
  section: "Trellis decision, sync service: wrong types",
  async run(target) {
    const right = await completion(target, await challenge(target));
    const { proof: _proof, ...withoutProof } = right;
    const wrong = [
      withoutProof,
      { ...right, proof: 1 },
      { ...right, challengeId: null },
      { ...right, extra: 1 },
      { ...right, action: "finish" },
    ];
    await expectEach(wrong, async (body) => {
      expectError(await postAuthorize(target, body, right.csrf), "invalid_request");
    });
    expectCompleted(await complete(target, right));
  },
};
