import { expectHeader } from "../../expect.ts";
import { expectOfEveryResponse } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

export const everyAnswerIsolatesItsResources: SyncCase = {
  id: "every-answer-isolates-its-resources",
  title: "No other origin can embed an answer",
  section: "sync contract, Authentication 8: isolates cross-origin resources",
  async run(target) {
    await expectOfEveryResponse(target, (answer) =>
      expectHeader(answer, "Cross-Origin-Resource-Policy", "same-origin"),
    );
  },
};
