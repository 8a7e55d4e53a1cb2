import { expectOfEveryResponse } from "../../events/routes.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectHeader } from "../../expect.ts";

export const everyAnswerForbidsSniffing: EventsCase = {
  id: "every-answer-forbids-sniffing",
  level: "trellis",
  title: "Every answer forbids sniffing",
  section: "Trellis decision, events service: rules for every route",
  async run(target) {
    await expectOfEveryResponse(target, (answer) => {
      expectHeader(answer, "X-Content-Type-Options", "nosniff");
    });
  },
};
