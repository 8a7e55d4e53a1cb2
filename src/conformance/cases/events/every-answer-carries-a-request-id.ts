import { expectOfEveryResponse } from "../../events/routes.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectHeaderMatch } from "../../expect.ts";

export const everyAnswerCarriesARequestId: EventsCase = {
  id: "every-answer-carries-a-request-id",
  level: "trellis",
  title: "Every answer has an X-Request-Id of 22 Base64URL characters",
  section: "Trellis decision, shared by all services: X-Request-Id",
  async run(target) {
    await expectOfEveryResponse(target, (answer) => {
      expectHeaderMatch(answer, "X-Request-Id", /^[A-Za-z0-9_-]{22}$/, "22 Base64URL characters");
    });
  },
};
