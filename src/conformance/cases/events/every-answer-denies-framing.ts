import { expectOfEveryResponse } from "../../events/routes.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectNoFraming } from "../../every-service/no-framing.ts";

export const everyAnswerDeniesFraming: EventsCase = {
  id: "every-answer-denies-framing",
  level: "trellis",
  title: "No answer can be shown in a frame",
  section: "Trellis decision, events service: rules for every route",
  run: (target) => expectNoFraming((check) => expectOfEveryResponse(target, check)),
};
