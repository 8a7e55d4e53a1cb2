import { expectHeader } from "../../expect.ts";
import { expectOfEveryResponse } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

export const everyAnswerSetsNoCookie: SyncCase = {
  id: "every-answer-sets-no-cookie",
  title: "No answer sets a cookie",
  section: "sync contract, Authentication 7: cookies are not supported",
  async run(target) {
    await expectOfEveryResponse(target, (answer) => expectHeader(answer, "Set-Cookie", undefined));
  },
};
