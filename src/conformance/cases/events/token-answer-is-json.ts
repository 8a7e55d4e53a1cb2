import { expectJsonType } from "../../events/bodies.ts";
import type { EventsCase } from "../../events/target.ts";

export const tokenAnswerIsJson: EventsCase = {
  id: "token-answer-is-json",
  level: "contract",
  title: "The token response says that it is JSON",
  section: "events contract, POST /api/oauth/token: JSON token response",
  async run(target) {
    expectJsonType(await target.redeemed());
  },
};
