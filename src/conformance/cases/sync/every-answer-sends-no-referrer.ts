import { expectHeader } from "../../expect.ts";
import { expectOfEveryResponse } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

export const everyAnswerSendsNoReferrer: SyncCase = {
  id: "every-answer-sends-no-referrer",
  title: "Every answer keeps its address out of the Referer of what follows",
  section: "sync contract, Authentication 8: no-referrer",
  async run(target) {
    await expectOfEveryResponse(target, (answer) =>
      expectHeader(answer, "Referrer-Policy", "no-referrer"),
    );
  },
};
