import { expectSame, violate } from "../../expect.ts";
import { expectCompleted } from "../../sync/bodies.ts";
import { challenge, completion, complete } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

export const rightProofAnswersACode: SyncCase = {
  id: "right-proof-answers-a-code",
  title:
    "complete with the right proof answers exactly code, the unchanged state, the redirect URI and a signature",
  section: "sync contract, POST /v1/authorize; Trellis decision, sync service: complete",
  async run(target) {
    const challenged = await challenge(target, { state: "!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~" });
    const answer = await complete(target, await completion(target, challenged));
    const { code, state, redirectUri } = expectCompleted(answer);
    expectSame(answer, "state", state, challenged.attempt.state);
    expectSame(answer, "redirectUri", redirectUri, challenged.attempt.redirectUri);
    if (/^[A-Za-z0-9_-]{43,}$/.test(code)) return;
    violate(answer.asked, "a code of at least 32 bytes in Base64URL", `${code.length} characters`);
  },
};
