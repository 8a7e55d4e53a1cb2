import { expectOfEveryResponse } from "../../events/routes.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectHeaderMatch } from "../../expect.ts";

export const everyAnswerIsNeverStored: EventsCase = {
  id: "every-answer-is-never-stored",
  level: "trellis",
  title: "No answer may be stored",
  section: "Trellis decision, events service: rules for every route",
  async run(target) {
    await expectOfEveryResponse(target, (answer) => {
      expectHeaderMatch(answer, "Cache-Control", /(?:^|,\s*)no-store(?:,|$)/, "no-store");
    });
  },
};
