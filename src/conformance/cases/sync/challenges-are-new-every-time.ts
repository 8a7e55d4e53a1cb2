import { expectSame, violate } from "../../expect.ts";
import { challenge } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

export const challengesAreNewEveryTime: SyncCase = {
  id: "challenges-are-new-every-time",
  title: "Every begin has a challenge and a nonce of its own, and the salt of the account stays",
  section: "Trellis decision, sync service: password proof",
  async run(target) {
    const first = (await challenge(target)).challenge;
    const second = (await challenge(target)).challenge;
    const asked = "POST /v1/authorize begin, twice";
    if (first.challengeId === second.challengeId) violate(asked, "two challenge ids", "one");
    if (first.serverNonce === second.serverNonce) violate(asked, "two nonces", "one");
    expectSame(asked, "salt", second.salt, first.salt);
  },
};
