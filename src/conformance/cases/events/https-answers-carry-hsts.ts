import { expectOfEveryResponse } from "../../events/routes.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectHsts } from "../../every-service/https-answers-carry-hsts.ts";

export const httpsAnswersCarryHsts: EventsCase = {
  id: "https-answers-carry-hsts",
  level: "trellis",
  title: "A service whose base URL is https tells browsers never to use plain http",
  section: "Trellis decision, events service: rules for every route",
  run: (target) =>
    expectHsts({
      publicUrl: target.publicUrl,
      expectOfEach: (check) => expectOfEveryResponse(target, check),
    }),
};
