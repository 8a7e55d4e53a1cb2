import { METHODS } from "../../events/routes.ts";
import type { EventsCase } from "../../events/target.ts";
import { violate } from "../../expect.ts";
import { expectOtherMethodsRefused } from "../../every-service/other-methods.ts";

export const otherMethodsAre405: EventsCase = {
  id: "other-methods-are-405",
  level: "trellis",
  title: "Another method on a known path is 405, and Allow names those there are",
  section: "Trellis decision, shared by all services: other methods",
  run: ({ api }) =>
    expectOtherMethodsRefused(api, METHODS, ({ asked, status }) => {
      if (status !== 405) violate(asked, "status 405", `status ${status}`);
    }),
};
