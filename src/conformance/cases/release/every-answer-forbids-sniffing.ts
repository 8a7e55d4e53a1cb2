import { expectHeader } from "../../expect.ts";
import { expectOfEveryResponse } from "../../release/paths.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const everyAnswerForbidsSniffing: ReleaseCase = {
  id: "every-answer-forbids-sniffing",
  title: "Every answer tells browsers to believe its content type",
  section: "Trellis decision, release service: X-Content-Type-Options",
  async run(target) {
    await expectOfEveryResponse(target, (answer) => {
      expectHeader(answer, "X-Content-Type-Options", "nosniff");
    });
  },
};
