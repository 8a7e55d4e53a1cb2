import { expectHeaderMatch } from "../../expect.ts";
import { expectOfEveryResponse } from "../../release/paths.ts";
import { UUID_V4 } from "../../release/request-id.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const everyAnswerCarriesARequestId: ReleaseCase = {
  id: "every-answer-carries-a-request-id",
  title: "Every answer has an X-Request-Id, a random UUID (version 4)",
  section: "Trellis decision, shared by all services: X-Request-Id on every response",
  async run(target) {
    await expectOfEveryResponse(target, (answer) => {
      expectHeaderMatch(answer, "X-Request-Id", UUID_V4, "a UUID of version 4");
    });
  },
};
