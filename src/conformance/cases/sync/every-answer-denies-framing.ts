import { expectHeaderMatch } from "../../expect.ts";
import { expectOfEveryAnswer } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

export const everyAnswerDeniesFraming: SyncCase = {
  id: "every-answer-denies-framing",
  title: "No answer can be shown in a frame",
  section: "sync contract, Authentication 8: denies framing",
  async run(target) {
    await expectOfEveryAnswer(target, (answer) => {
      if (answer.header("X-Frame-Options")?.toUpperCase() === "DENY") return;
      expectHeaderMatch(
        answer,
        "Content-Security-Policy",
        /(?:^|;)\s*frame-ancestors 'none'\s*(?:;|$)/,
        "frame-ancestors 'none'",
      );
    });
  },
};
