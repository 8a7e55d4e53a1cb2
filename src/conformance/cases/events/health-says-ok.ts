import { expectHealth } from "../../events/bodies.ts";
import { HEALTH } from "../../events/routes.ts";
import type { EventsCase } from "../../events/target.ts";

export const healthSaysOk: EventsCase = {
  id: "health-says-ok",
  level: "trellis",
  title: "/health says ok and the version of the contract",
  section: "Trellis decision, events service: health",
  async run({ api }) {
    expectHealth(await api.get(HEALTH));
  },
};
