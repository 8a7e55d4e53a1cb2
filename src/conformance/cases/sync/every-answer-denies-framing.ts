import { expectNoFraming } from "../../every-service/no-framing.ts";
import { expectOfEveryResponse } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

export const everyAnswerDeniesFraming: SyncCase = {
  id: "every-answer-denies-framing",
  title: "No answer can be shown in a frame",
  section: "sync contract, Authentication 8: denies framing",
  run: (target) => expectNoFraming((check) => expectOfEveryResponse(target, check)),
};
