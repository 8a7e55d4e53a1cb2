import { expectHeaderMatch } from "../../expect.ts";
import { expectOfEveryResponse } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

export const everyAnswerCarriesARequestId: SyncCase = {
  id: "every-answer-carries-a-request-id",
  title: "Every answer has an X-Request-Id of 22 Base64URL characters when the caller gives none",
  section: "Trellis decision, shared by all services: X-Request-Id; sync service: request ids",
  async run(target) {
    await expectOfEveryResponse(target, (answer) => {
      expectHeaderMatch(answer, "X-Request-Id", /^[A-Za-z0-9_-]{22}$/, "22 Base64URL characters");
    });
  },
};
