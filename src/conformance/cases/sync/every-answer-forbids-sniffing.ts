import { expectHeader } from "../../expect.ts";
import { expectOfEveryResponse } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

export const everyAnswerForbidsSniffing: SyncCase = {
  id: "every-answer-forbids-sniffing",
  title: "Every answer tells browsers to believe its content type",
  section: "sync contract, Authentication 8: denies MIME sniffing",
  async run(target) {
    await expectOfEveryResponse(target, (answer) =>
      expectHeader(answer, "X-Content-Type-Options", "nosniff"),
    );
  },
};
